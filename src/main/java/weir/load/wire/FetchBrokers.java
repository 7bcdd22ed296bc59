package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.wire.BrokerRefusal;
import weir.wire.Connection;
import weir.wire.Endpoint;

/** The brokers that lead one reader's partitions: found, connected to, and followed when leaders change. */
final class FetchBrokers implements AutoCloseable {
    private final String name;
    private final FetchSettings settings;
    private final PartitionLeaders leaders;
    private final ConnectionOpener dialer;
    private final Selector selector;
    private final Mailbox mailbox;
    final List<FetchBroker> all = new ArrayList<>();
    private final Runnable listener;
    private PartitionLeaders.@Nullable View seen;
    private int assigned;

    FetchBrokers(
            String name,
            FetchSettings settings,
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            Selector selector,
            Mailbox mailbox) {
        this.name = name;
        this.settings = settings;
        this.leaders = leaders;
        this.dialer = dialer;
        this.selector = selector;
        this.mailbox = mailbox;
        this.listener = selector::wakeup;
        leaders.listen(listener);
    }

    void follow(List<FetchPosition> readings, long now) {
        PartitionLeaders.View view = leaders.view();
        PartitionLeaders.View before = seen;
        if (before == null || view.number() != before.number() || readings.size() != assigned) {
            seen = view;
            assigned = readings.size();
            assign(readings, view, now);
        }
        for (int i = 0; i < all.size(); i++) {
            dial(all.get(i));
        }
    }

    private void assign(List<FetchPosition> readings, PartitionLeaders.View view, long now) {
        for (FetchPosition one : readings) {
            PartitionLeader leader = view.leader(one.index);
            one.leaderEpoch = leader.epoch();
            FetchBroker next = leader.none() ? null : source(leader.at(), now);
            if (next != one.source) {
                move(one, next);
            }
        }
        for (Iterator<FetchBroker> each = all.iterator(); each.hasNext(); ) {
            FetchBroker source = each.next();
            if (source.readings.isEmpty()) {
                source.close();
                each.remove();
            }
        }
    }

    private static void move(FetchPosition one, @Nullable FetchBroker to) {
        if (one.source != null) {
            one.source.readings.remove(one);
        }
        one.source = to;
        if (to != null) {
            to.readings.add(one);
            to.readings.sort((a, b) -> a.partition.compareTo(b.partition));
        }
    }

    private FetchBroker source(Endpoint at, long now) {
        for (FetchBroker source : all) {
            if (source.at.equals(at)) {
                return source;
            }
        }
        FetchBroker source = new FetchBroker(at, name, settings, now);
        all.add(source);
        return source;
    }

    private void dial(FetchBroker source) {
        if (!source.wantsConnection()) {
            return;
        }
        dialer.dial(source.at, source.dials(), mailbox, new ConnectionOpener.Caller() {
            @Override
            public void connected(Connection connection) throws IOException {
                // The broker may have been given up meanwhile.
                if (all.contains(source)) {
                    source.connected(connection, selector);
                } else {
                    connection.close();
                }
            }

            @Override
            public void failed(IOException why) throws IOException {
                broken(source, why);
            }
        });
    }

    void broken(FetchBroker source, IOException why) throws IOException {
        if (why instanceof BrokerRefusal) {
            throw why;
        }
        source.failed();
        outdated();
    }

    void outdated() {
        PartitionLeaders.View old = seen;
        if (old != null) {
            leaders.outdated(old);
        }
    }

    void ask(FetchBroker source, long now) throws IOException {
        try {
            source.ask(now);
            if (source.overdue(now)) {
                throw new IOException("broker " + source.at + " did not answer a fetch in time");
            }
        } catch (IOException e) {
            broken(source, e);
        }
    }

    @Override
    public void close() {
        leaders.forget(listener);
        all.forEach(FetchBroker::close);
        all.clear();
    }
}
