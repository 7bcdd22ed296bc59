package weir.feature.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import weir.load.engine.DeadLetters;
import weir.load.message.Arrival;
import weir.load.read.Receiver;
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.worker.Assignment;
import weir.worker.MessageTransport;

/**
 * The receiving of events by HTTP, with the interface of a log that has one partition. Events have offsets in the order
 * of their arrival. The end of the log is the number of arrived events plus the number of events that processes on the
 * path still store. Stored events may never arrive.
 */
public final class HttpReceiving implements MessageTransport.Receiving {
    public static final String PARTITION = "receiver-0";

    /** The time after the last arrival for which an uncounted path may still store events. */
    private static final long QUIET_NANOS = 3_000_000_000L;

    private final Asked asked;
    private final LongSupplier clock;
    private final EventHolders holders;
    /** Empty in a worker that does not receive. */
    private final Optional<HttpReceiver> receiver;

    private volatile boolean reading;
    private long endingNanos;

    /**
     * The settings of a receiver.
     *
     * @param spec with the resolved token and absolute paths
     * @param seed of the events that fail
     * @param first true for the only worker that receives
     * @param deadLetters the topic of dead letters; empty without one, or if holders count parked events
     */
    public record Asked(
            Assignment.Receiving path,
            ReceiverSpec spec,
            long seed,
            boolean first,
            Optional<DeadLetters> deadLetters) {}

    public HttpReceiving(Asked asked, LongSupplier clock) {
        this.asked = asked;
        this.clock = clock;
        this.holders = new EventHolders(asked.path.holders(), asked.path.inMemory());
        this.receiver = asked.first ? Optional.of(new HttpReceiver(asked, clock)) : Optional.empty();
    }

    public InetSocketAddress address() {
        return receiver.orElseThrow().address();
    }

    @Override
    public Receiver receiver(int reader, long[] from) {
        if (reader > 0) {
            throw new IllegalStateException("load.consumers: must be 1, because one receiver gets all events");
        }
        reading = true;
        return receiver.orElseThrow();
    }

    @Override
    public void awaitPositions(Duration limit) {}

    @Override
    public Receiver verifier(List<Integer> partitions, long[] from) {
        throw new UnsupportedOperationException("events that HTTP delivered cannot be read again");
    }

    @Override
    public int topics() {
        return 1;
    }

    @Override
    public List<String> partitions() {
        return List.of(PARTITION);
    }

    @Override
    public boolean lasting() {
        return false;
    }

    @Override
    public long[] beginnings() {
        return new long[1];
    }

    @Override
    public long[] ends() {
        // Before the reader exists, stored events do not count.
        if (!reading || asked.path.foreign()) {
            return new long[] {reading ? EventHolders.UNKNOWN : 0};
        }
        // The holders come first: an event that arrives meanwhile counts twice instead of being missed.
        long held = holders.ask();
        return new long[] {held < 0 ? held : held + receiver.orElseThrow().arrivals()};
    }

    @Override
    public long[] logEnds() {
        if (!reading || !asked.path.foreign()) {
            return ends();
        }
        long now = clock.getAsLong();
        endingNanos = endingNanos == 0 ? now : endingNanos;
        boolean quiet = now - Math.max(endingNanos, receiver.orElseThrow().arrivedNanos()) >= QUIET_NANOS;
        // An unknown number of events will arrive, so the end is queried again.
        return new long[] {quiet ? UNREPORTED : EventHolders.UNKNOWN};
    }

    @Override
    public boolean countParked(Ledger into, int runTag, long deadlineNanos) {
        if (!asked.first || asked.path.foreign()) {
            return true;
        }
        if (asked.deadLetters.isEmpty()) {
            into.parks(holders.parked());
            return true;
        }
        into.parks(0);
        ReadLedger book = into.reader();
        Arrival letter = new Arrival();
        boolean whole = asked.deadLetters
                .get()
                .read(
                        identity -> {
                            letter.read(identity);
                            if (letter.from(runTag)) {
                                book.parked(letter.producer, letter.sequence, 1);
                            }
                        },
                        deadlineNanos);
        book.handOver();
        return whole;
    }

    @Override
    public void report(Figures into) {
        if (!reading) {
            return;
        }
        receiver.orElseThrow().report(into);
        if (!asked.path.holders().isEmpty()) {
            into.figure("receiver.held", (double) Math.max(0, holders.held()));
            into.figure("receiver.parked-total", (double) holders.parked());
        }
    }

    @Override
    public List<String> notes() {
        return asked.path.foreign()
                ? List.of("another system delivers the events and does not report how many it still holds, so an acked"
                        + " event that does not arrive counts as unread, never as lost")
                : List.of();
    }

    @Override
    public void close() {
        receiver.ifPresent(HttpReceiver::close);
    }

    /** The processes that store events on their path to a receiver. Each query uses a new connection. */
    static final class EventHolders {
        static final long UNKNOWN = -1;

        private static final int CONNECT_MILLIS = 500;
        private static final int ANSWER_MILLIS = 1_000;
        private static final int MOST_BYTES = 64 << 10;
        private static final JsonFactory JSON = new JsonFactory();

        private final List<URI> holders;
        private final boolean inMemory;
        private final long[] parked;
        private long parkedBefore;

        private volatile long lastHeld;
        private volatile long lastParked;

        private record HolderCounts(long held, long parked) {}

        EventHolders(List<String> urls, boolean inMemory) {
            this.holders = urls.stream().map(URI::create).toList();
            this.inMemory = inMemory;
            this.parked = new long[holders.size()];
        }

        synchronized long ask() {
            long held = 0;
            for (int i = 0; i < parked.length; i++) {
                HolderCounts counts = counts(holders.get(i));
                held = held == UNKNOWN || counts.held < 0 ? UNKNOWN : held + counts.held;
                if (counts.parked >= 0) {
                    parkedBefore += counts.parked < parked[i] ? parked[i] : 0;
                    parked[i] = counts.parked;
                }
            }
            lastHeld = held;
            lastParked = parkedBefore + LongStream.of(parked).sum();
            return held;
        }

        long held() {
            return lastHeld;
        }

        long parked() {
            return lastParked;
        }

        private HolderCounts counts(URI holder) {
            try {
                HttpURLConnection connection =
                        (HttpURLConnection) holder.resolve("/held").toURL().openConnection(Proxy.NO_PROXY);
                connection.setConnectTimeout(CONNECT_MILLIS);
                connection.setReadTimeout(ANSWER_MILLIS);
                try (InputStream in = connection.getInputStream()) {
                    return counts(in.readNBytes(MOST_BYTES));
                } finally {
                    // If not, an old connection would query the next holder at this address.
                    connection.disconnect();
                }
            } catch (ConnectException gone) {
                return new HolderCounts(inMemory ? 0 : UNKNOWN, UNKNOWN);
            } catch (IOException silent) {
                return new HolderCounts(UNKNOWN, UNKNOWN);
            }
        }

        private static HolderCounts counts(byte[] answer) throws IOException {
            long held = UNKNOWN;
            long parked = UNKNOWN;
            try (JsonParser json = JSON.createParser(answer)) {
                json.nextToken();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    long value = json.nextToken().isNumeric() ? json.getLongValue() : UNKNOWN;
                    held = name.equals("held") ? value : held;
                    parked = name.equals("parked") ? value : parked;
                }
            }
            return new HolderCounts(held, parked);
        }
    }
}
