package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import weir.load.engine.EngineCounters;
import weir.load.read.Inbox;
import weir.load.read.Receiver;
import weir.wire.ResponseFrame;

/**
 * A reader that speaks the protocol itself: one thread, a connection to each broker that leads partitions of it, and one
 * request on its way on each. The next request leaves as soon as it is known where the partitions go on, before the records
 * of the last answer are read.
 */
final class WireReceiver implements Receiver {
    private static final long WAIT_MILLIS = 100;
    private static final long IDLE_MILLIS = 5;

    private final String name;
    private final LongSupplier clock;
    private final PartitionLeaders leaders;
    private final Share share;
    private final long[] from;
    private final List<FetchPosition> readings = new ArrayList<>();
    /** Partitions of the load when it looked for added ones last. */
    private int known;

    private final Selector selector;
    private final Mailbox mailbox;
    private final FetchBrokers sources;
    private final Fetches fetches;

    /**
     * The parts of the engine that a reader needs.
     *
     * @param dialer connects for readers
     */
    record Surroundings(
            PartitionLeaders leaders,
            ConnectionOpener dialer,
            OffsetResets.Bounds bounds,
            ProducerSequences numberings,
            LongSupplier clock) {}

    /** The partitions that a reader reads. */
    interface Share {
        boolean has(int index, LoadPartition partition);
    }

    /**
     * @param name as {@code client.id}
     * @param from where to begin in each partition; one that was added is read from its first record on
     */
    WireReceiver(
            String name,
            FetchSettings settings,
            Surroundings around,
            EngineCounters<WireCount> counters,
            Share share,
            long[] from) {
        this.name = name;
        this.clock = around.clock;
        this.leaders = around.leaders;
        this.share = share;
        this.from = from.clone();
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("opening a selector", e);
        }
        this.mailbox = new Mailbox(selector);
        this.sources = new FetchBrokers(name, settings, around.leaders, around.dialer, selector, mailbox);
        this.fetches = new Fetches(
                settings,
                sources,
                new OffsetResets(name, settings, around.bounds, mailbox),
                new PartitionRecordReader(settings, counters, around.numberings),
                counters);
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
        mailbox.tell();
        long now = clock.getAsLong();
        add(leaders.partitions(), inbox, now);
        sources.follow(readings, now);
        boolean open = inbox.open();
        boolean busy = false;
        for (int i = 0; i < sources.all().size(); i++) {
            FetchBroker source = sources.all().get(i);
            if (open) {
                sources.ask(source, now);
            }
            busy |= receive(source, inbox);
        }
        if (!busy) {
            selector.select(open ? patience(now) : IDLE_MILLIS);
            selector.selectedKeys().clear();
        }
        inbox.done(clock.getAsLong());
    }

    /** Reads of these what it has not seen yet. */
    private void add(List<LoadPartition> partitions, Inbox inbox, long now) {
        for (; known < partitions.size(); known++) {
            if (share.has(known, partitions.get(known))) {
                long at = known < from.length ? from[known] : 0;
                readings.add(new FetchPosition(known, partitions.get(known), at, now));
                inbox.assigned(known, at);
            }
        }
    }

    private long patience(long now) {
        boolean paused = readings.stream().anyMatch(one -> !one.ready(now));
        for (FetchBroker source : sources.all()) {
            paused |= source.paused();
        }
        return paused ? IDLE_MILLIS : WAIT_MILLIS;
    }

    /** True when there was an answer. */
    private boolean receive(FetchBroker source, Inbox inbox) throws IOException {
        ResponseFrame frame;
        try {
            frame = source.answer();
        } catch (IOException e) {
            sources.broken(source, e);
            return false;
        }
        if (frame == null) {
            return false;
        }
        long now = clock.getAsLong();
        inbox.arrived(now);
        try {
            fetches.answered(source, frame, inbox, now);
        } catch (IOException e) {
            throw new IOException("broker " + source.at() + ": " + e.getMessage(), e);
        } finally {
            frame.release();
        }
        inbox.done(now);
        return true;
    }

    @Override
    public void close() {
        mailbox.end();
        sources.close();
        fetches.close();
        try {
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a selector", e);
        }
    }
}
