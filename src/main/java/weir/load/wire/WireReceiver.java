package weir.load.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.Errors;
import weir.load.engine.EngineCounters;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.time.DaemonThreads;
import weir.wire.BrokerError;
import weir.wire.FetchResponse;
import weir.wire.ResponseFrame;

/**
 * A reader with Weir's own code for Kafka's protocol. It has one thread, and one request in flight to each leader of
 * its partitions. It sends the next request as soon as the next offsets are known, before it reads the records of the
 * last answer.
 */
final class WireReceiver implements Receiver {
    private static final long WAIT_MILLIS = 100;
    private static final long IDLE_MILLIS = 5;
    private static final long MILLI_NANOS = 1_000_000;

    private final String name;
    private final FetchSettings settings;
    private final Context context;
    private final EngineCounters<WireCount> counters;
    private final LongSupplier clock;
    private final BiPredicate<Integer, LoadPartition> share;
    private final long[] from;
    private final List<FetchPosition> readings = new ArrayList<>();
    private int known;

    private final LeaderConnections<FetchPosition, FetchBroker> sources;
    private final PartitionRecordReader intake;
    private final List<FetchPosition> answered = new ArrayList<>();

    /**
     * The parts of the engine that a reader needs.
     *
     * @param dialer the opener of the readers' connections
     * @param beginnings the start offsets of partitions, as {@code ends} are the end offsets; -1 if unknown. Both block
     */
    record Context(
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            Supplier<long[]> beginnings,
            Supplier<long[]> ends,
            ProducerSequences sequences,
            LongSupplier clock) {}

    /**
     * @param name the {@code client.id}
     * @param from the first offset in each partition; an added partition begins with its first record
     */
    WireReceiver(
            String name,
            FetchSettings settings,
            Context around,
            EngineCounters<WireCount> counters,
            BiPredicate<Integer, LoadPartition> share,
            long[] from) {
        this.name = name;
        this.settings = settings;
        this.context = around;
        this.counters = counters;
        this.clock = around.clock;
        this.share = share;
        this.from = from.clone();
        this.sources = new LeaderConnections<>(
                around.leaders, around.dialer, (id, at) -> new FetchBroker(id, at, name, settings, clock.getAsLong()));
        this.intake = new PartitionRecordReader(settings, counters, around.sequences);
    }

    @Override
    public void fill(Inbox inbox) {
        while (!inbox.closed()) {
            try {
                turn(inbox);
            } catch (IOException e) {
                throw new IllegalStateException(name + ": " + e.getMessage(), e);
            }
        }
    }

    private void turn(Inbox inbox) throws IOException {
        long now = clock.getAsLong();
        add(context.leaders.partitions(), inbox, now);
        sources.follow(readings, now);
        boolean open = inbox.open();
        boolean busy = false;
        for (int i = 0; i < sources.all.size(); i++) {
            FetchBroker source = sources.all.get(i);
            if (open) {
                ask(source, now);
            }
            busy |= receive(source, inbox);
        }
        if (!busy) {
            sources.selector.select(open ? selectMillis(now) : IDLE_MILLIS);
            sources.selector.selectedKeys().clear();
        }
        inbox.done(clock.getAsLong());
    }

    private void add(List<LoadPartition> partitions, Inbox inbox, long now) {
        for (; known < partitions.size(); known++) {
            if (share.test(known, partitions.get(known))) {
                long at = known < from.length ? from[known] : 0;
                readings.add(new FetchPosition(known, partitions.get(known), at, now));
                inbox.assigned(known, at);
            }
        }
    }

    private long selectMillis(long now) {
        boolean paused = readings.stream().anyMatch(one -> !one.ready(now));
        for (FetchBroker source : sources.all) {
            paused |= source.paused();
        }
        return paused ? IDLE_MILLIS : WAIT_MILLIS;
    }

    private void ask(FetchBroker source, long now) throws IOException {
        try {
            source.ask(now);
        } catch (IOException e) {
            sources.broken(source, e, now);
        }
    }

    private boolean receive(FetchBroker source, Inbox inbox) throws IOException {
        ResponseFrame frame;
        try {
            frame = source.answer();
        } catch (IOException e) {
            sources.broken(source, e, clock.getAsLong());
            return false;
        }
        if (frame == null) {
            return false;
        }
        long now = clock.getAsLong();
        inbox.arrived(now);
        try {
            answered(source, frame, inbox, now);
        } catch (IOException e) {
            throw new IOException("broker " + source.at + ": " + e.getMessage(), e);
        } finally {
            frame.release();
        }
        inbox.done(now);
        return true;
    }

    private void answered(FetchBroker source, ResponseFrame frame, Inbox inbox, long now) throws IOException {
        if (!source.begin(frame, now)) {
            refused(source, now);
            return;
        }
        FetchResponse response = source.response;
        counters.add(WireCount.REQUESTS, 1);
        counters.add(WireCount.BYTES, frame.size());
        counters.add(WireCount.LATENCY_NANOS, now - source.askedNanos);
        counters.add(WireCount.THROTTLE_MILLIS, response.throttleMillis);
        boolean open = inbox.open();
        answered.clear();
        while (response.next()) {
            FetchPosition one = source.answered(answered.size());
            answered.add(one);
            // Records that the inbox does not accept now are fetched again later.
            one.wanted = open && one.asked == one.next && one.leader == source;
            if (one.wanted) {
                read(response, one, inbox, now);
            }
        }
        if (open) {
            ask(source, now);
        }
        // The next request may omit a partition whose leader has moved.
        source.again(frame);
        for (int i = 0; response.next(); i++) {
            FetchPosition one = answered.get(i);
            if (one.wanted && response.recordsBytes > 0) {
                try {
                    intake.read(response, one, inbox);
                } catch (IOException e) {
                    throw in(one, e);
                }
            }
        }
    }

    private static IOException in(FetchPosition one, IOException e) {
        return new IOException("partition " + one.partition + ": " + e.getMessage(), e);
    }

    private void read(FetchResponse response, FetchPosition one, Inbox inbox, long now) throws IOException {
        if (response.partitionError != 0) {
            one.wanted = false;
            failed(BrokerError.of(response.partitionError), one, inbox, now);
        } else if (response.divergingEnd >= 0) {
            // The log was truncated below the position. The reader also reads other records there.
            one.wanted = false;
            one.lastEpoch = FetchPosition.UNKNOWN;
            one.continueAt(Math.min(one.next, response.divergingEnd), inbox);
        } else {
            try {
                intake.walk(response, one);
            } catch (IOException e) {
                throw in(one, e);
            }
        }
    }

    /** Handles the error of a whole answer. Usually the broker has forgotten the fetch session. */
    private void refused(FetchBroker source, long now) throws IOException {
        BrokerError fault = BrokerError.of(source.response.error);
        boolean session = fault.is(Errors.FETCH_SESSION_ID_NOT_FOUND)
                || fault.is(Errors.INVALID_FETCH_SESSION_EPOCH)
                || fault.is(Errors.FETCH_SESSION_TOPIC_ID_ERROR);
        if (!session && !fault.retriable() && !fault.moved()) {
            throw new IOException("it refuses fetches: " + fault.name() + ", " + fault.message(), fault.exception());
        }
        source.pause(now, session ? 0 : settings.pauseMillis());
        if (!session) {
            sources.outdated();
        }
    }

    private void failed(BrokerError fault, FetchPosition one, Inbox inbox, long now) throws IOException {
        one.pausedNanos = now + settings.pauseMillis() * MILLI_NANOS;
        if (fault.is(Errors.OFFSET_OUT_OF_RANGE)) {
            reset(one, inbox);
        } else if (fault.moved()) {
            sources.outdated();
        } else if (!fault.retriable() || fault.is(Errors.CORRUPT_MESSAGE)) {
            throw new IOException(
                    "partition " + one.partition + " cannot be fetched: " + fault.name() + ", " + fault.message(),
                    fault.exception());
        }
    }

    private void reset(FetchPosition one, Inbox inbox) {
        if (settings.reset() == FetchSettings.Reset.NONE) {
            throw new IllegalStateException(name + ": partition " + one.partition + " has no offset " + one.next
                    + ", and auto.offset.reset is none");
        }
        one.outOfRange = true;
        Thread asking = DaemonThreads.of(name + "-bounds", () -> {
            long beginning = context.beginnings.get()[one.index];
            long end = context.ends.get()[one.index];
            sources.mailbox.post(() -> found(one, beginning, end, inbox));
        });
        asking.setUncaughtExceptionHandler((thread, why) ->
                sources.mailbox.post(() -> found(one, FetchPosition.UNKNOWN, FetchPosition.UNKNOWN, inbox)));
        asking.start();
    }

    private void found(FetchPosition one, long beginning, long end, Inbox inbox) {
        one.outOfRange = false;
        one.lastEpoch = FetchPosition.UNKNOWN;
        // With an unknown start or end, the broker refuses the next fetch, which starts another query.
        boolean known = beginning >= 0 && end >= 0;
        if (known && (one.next < beginning || one.next > end)) {
            one.continueAt(settings.reset() == FetchSettings.Reset.EARLIEST ? beginning : end, inbox);
        }
    }

    @Override
    public void close() {
        sources.close();
        intake.close();
    }
}
