package weir.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** A connection to any broker of the cluster, which tries the next broker if one does not answer. */
public final class BootstrapBroker implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final BrokerAccess access;
    private final Connection.Options options;
    private final Duration limit;
    private final List<Endpoint> bootstrap;
    private List<Endpoint> known;
    private int next;
    private @Nullable Call call;

    public interface BrokerRequest<T> {
        T ask(Call call, Duration limit) throws IOException;
    }

    public BootstrapBroker(List<Endpoint> bootstrap, BrokerAccess access, Connection.Options options) {
        this(bootstrap, access, options, TIMEOUT);
    }

    /** {@code limit} is the time limit for each connection and for each request. */
    public BootstrapBroker(List<Endpoint> bootstrap, BrokerAccess access, Connection.Options options, Duration limit) {
        if (bootstrap.isEmpty()) {
            throw new IllegalArgumentException("bootstrap.servers: is empty; write it like kafka-1:9092");
        }
        this.bootstrap = List.copyOf(bootstrap);
        this.known = this.bootstrap;
        this.access = access;
        this.options = options;
        this.limit = limit;
    }

    public synchronized <T> T ask(BrokerRequest<T> question) throws IOException {
        IOException last = new IOException("there is no broker to ask");
        for (int tries = 0; tries <= known.size(); tries++) {
            try {
                Call current = call;
                if (current == null) {
                    current = Call.open(known.get(next++ % known.size()), access, options, limit);
                    call = current;
                }
                return question.ask(current, limit);
            } catch (BrokerRefusal no) {
                disconnect();
                throw no;
            } catch (IOException e) {
                disconnect();
                e.addSuppressed(last);
                last = e;
            }
        }
        throw last;
    }

    public <T> T retry(BrokerRequest<T> question, Duration timeout, long pauseMillis) throws IOException {
        TimeLimit deadline = MachineClock.within(timeout);
        while (true) {
            try {
                return ask(question);
            } catch (BrokerRefusal no) {
                throw no;
            } catch (IOException e) {
                if (deadline.passed()) {
                    throw e;
                }
            }
            try {
                Thread.sleep(pauseMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    public synchronized void know(Collection<Endpoint> brokers) {
        Set<Endpoint> all = new LinkedHashSet<>(brokers);
        all.addAll(bootstrap);
        known = new ArrayList<>(all);
    }

    private void disconnect() {
        Call current = call;
        call = null;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public synchronized void close() {
        disconnect();
    }
}
