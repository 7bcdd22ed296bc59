package weir.load.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import weir.load.Inbox;
import weir.load.Receiver;
import weir.wire.Connection;
import weir.wire.Endpoint;
import weir.wire.Fault;
import weir.wire.FetchResponse;
import weir.wire.Frame;
import weir.wire.Refused;

/**
 * A reader that speaks the protocol itself: one thread, a connection to each broker that leads partitions of it, and one
 * request on its way on each. The next request leaves as soon as it is known where the partitions go on, before the records
 * of the last answer are read.
 */
final class WireReceiver implements Receiver {
    private static final long MILLI = 1_000_000;
    private static final long WAIT_MILLIS = 100;
    private static final long IDLE_MILLIS = 5;

    private final String name;
    private final FetchSettings settings;
    private final Leaders leaders;
    private final Dialer dialer;
    private final Bounds bounds;
    private final Tally tally;
    private final List<Reading> readings = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final Intake intake;
    private final Selector selector;
    private final Runnable listener;
    /** What an answer was about, in its order. */
    private final List<Reading> told = new ArrayList<>();

    private final Queue<News> news = new ArrayDeque<>();
    private boolean ended;
    private Leaders.@Nullable View seen;

    /** What became of something that waited elsewhere. */
    private interface News {
        void tell(Inbox inbox) throws IOException;

        /** Nobody reads any more. */
        default void drop() {}
    }

    /** Where partitions begin and end; -1 where nobody knows. Waits for brokers. */
    interface Bounds {
        long[] beginnings();

        long[] ends();
    }

    /**
     * @param name as {@code client.id}
     * @param which partitions, by their indexes
     * @param from where to begin in each partition of the load
     */
    WireReceiver(
            String name,
            FetchSettings settings,
            Leaders leaders,
            Dialer dialer,
            Bounds bounds,
            Tally tally,
            List<Integer> which,
            long[] from) {
        this.name = name;
        this.settings = settings;
        this.leaders = leaders;
        this.dialer = dialer;
        this.bounds = bounds;
        this.tally = tally;
        this.intake = new Intake(settings, tally);
        // In order, so that those of one topic stand together.
        which.stream()
                .sorted()
                .forEach(index ->
                        readings.add(new Reading(index, leaders.partitions().get(index), from[index])));
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new IllegalStateException("opening a selector", e);
        }
        this.listener = selector::wakeup;
        leaders.listen(listener);
    }

    @Override
    public void fill(Inbox inbox) {
        readings.forEach(one -> inbox.assigned(one.index, one.next));
        while (!inbox.closed()) {
            try {
                turn(inbox);
            } catch (IOException e) {
                throw new IllegalStateException(name + ": " + e.getMessage(), e);
            }
        }
    }

    private void turn(Inbox inbox) throws IOException {
        for (News next = news(); next != null; next = news()) {
            next.tell(inbox);
        }
        follow();
        boolean open = inbox.open();
        long now = System.nanoTime();
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            dial(source);
            if (open) {
                ask(source, now);
            }
        }
        boolean busy = false;
        for (int i = 0; i < sources.size(); i++) {
            busy |= receive(sources.get(i), inbox);
        }
        if (!busy) {
            selector.select(open ? patience(now) : IDLE_MILLIS);
            selector.selectedKeys().clear();
        }
        inbox.done(System.nanoTime());
    }

    private long patience(long now) {
        boolean paused = readings.stream().anyMatch(one -> !one.ready(now));
        for (Source source : sources) {
            paused |= source.paused();
        }
        return paused ? IDLE_MILLIS : WAIT_MILLIS;
    }

    /** Goes where the leaders are. */
    private void follow() {
        Leaders.View now = leaders.view();
        Leaders.View before = seen;
        if (before != null && now.number() == before.number()) {
            return;
        }
        seen = now;
        for (Reading one : readings) {
            Leader leader = now.leader(one.index);
            one.leaderEpoch = leader.epoch();
            Source next = leader.none() ? null : source(leader.at());
            if (next != one.source) {
                move(one, next);
            }
        }
        for (Iterator<Source> each = sources.iterator(); each.hasNext(); ) {
            Source source = each.next();
            if (source.readings().isEmpty()) {
                source.close();
                each.remove();
            }
        }
    }

    private static void move(Reading one, @Nullable Source to) {
        if (one.source != null) {
            one.source.readings().remove(one);
        }
        one.source = to;
        if (to != null) {
            to.readings().add(one);
            to.readings().sort((a, b) -> Integer.compare(a.index, b.index));
        }
    }

    private Source source(Endpoint at) {
        for (Source source : sources) {
            if (source.at().equals(at)) {
                return source;
            }
        }
        Source source = new Source(at, name, settings);
        sources.add(source);
        return source;
    }

    private void dial(Source source) {
        if (!source.wantsConnection()) {
            return;
        }
        dialer.dial(source.at(), source.dials(), new Dialer.Caller() {
            @Override
            public void connected(Connection connection) {
                hear(new Connected(source, connection));
            }

            @Override
            public void failed(IOException why) {
                hear(inbox -> broken(source, why));
            }
        });
    }

    /** A source may have been given up while somebody connected to it. */
    private final class Connected implements News {
        private final Source source;
        private final Connection connection;

        Connected(Source source, Connection connection) {
            this.source = source;
            this.connection = connection;
        }

        @Override
        public void tell(Inbox inbox) throws IOException {
            if (sources.contains(source)) {
                source.connected(connection, selector);
            } else {
                drop();
            }
        }

        @Override
        public void drop() {
            connection.close();
        }
    }

    /** From any thread. */
    private void hear(News one) {
        synchronized (news) {
            if (!ended) {
                news.add(one);
                selector.wakeup();
                return;
            }
        }
        one.drop();
    }

    private @Nullable News news() {
        synchronized (news) {
            return news.poll();
        }
    }

    private void broken(Source source, IOException why) throws IOException {
        if (why instanceof Refused) {
            throw why;
        }
        source.failed();
        outdated();
    }

    private void outdated() {
        Leaders.View old = seen;
        if (old != null) {
            leaders.outdated(old);
        }
    }

    private void ask(Source source, long now) throws IOException {
        try {
            source.ask(now);
            if (source.overdue(now)) {
                throw new IOException("broker " + source.at() + " did not answer a fetch in time");
            }
        } catch (IOException e) {
            broken(source, e);
        }
    }

    /** Whether there was an answer. */
    private boolean receive(Source source, Inbox inbox) throws IOException {
        Frame frame;
        try {
            frame = source.answer();
        } catch (IOException e) {
            broken(source, e);
            return false;
        }
        if (frame == null) {
            return false;
        }
        long now = System.nanoTime();
        inbox.arrived(now);
        try {
            answered(source, frame, inbox, now);
        } catch (IOException e) {
            throw new IOException("broker " + source.at() + ": " + e.getMessage(), e);
        } finally {
            frame.release();
        }
        inbox.done(now);
        return true;
    }

    private void answered(Source source, Frame frame, Inbox inbox, long now) throws IOException {
        if (!source.begin(frame, now)) {
            refused(source, now);
            return;
        }
        FetchResponse response = source.response();
        tally.add(Tally.Count.REQUESTS, 1);
        tally.add(Tally.Count.BYTES, frame.size());
        tally.add(Tally.Count.LATENCY_NANOS, source.tookNanos(now));
        tally.add(Tally.Count.THROTTLE_MILLIS, response.throttleMillis());
        boolean open = inbox.open();
        told.clear();
        while (response.next()) {
            Reading one = source.answered(told.size());
            told.add(one);
            // What was not wanted, or what nobody wants just now, is asked for again.
            one.wanted = open && one.asked == one.next && one.source == source;
            if (one.wanted) {
                look(response, one, inbox, now);
            }
        }
        if (open) {
            ask(source, now);
        }
        // The next request may be about others than this answer: one that moved is not asked for there again.
        source.again(frame);
        for (int i = 0; response.next(); i++) {
            Reading one = told.get(i);
            if (one.wanted && response.recordsBytes() > 0) {
                intake.read(response, one, inbox);
            }
        }
    }

    /** Finds out where the partition goes on. */
    private void look(FetchResponse response, Reading one, Inbox inbox, long now) throws IOException {
        if (response.partitionError() != 0) {
            one.wanted = false;
            trouble(Fault.of(response.partitionError()), one, now);
        } else if (response.divergingEnd() >= 0) {
            // The log has lost what was read here, and may have other records at these offsets: those are read, too.
            one.wanted = false;
            one.lastEpoch = Reading.UNKNOWN;
            goOn(one, Math.min(one.next, response.divergingEnd()), inbox);
        } else {
            intake.walk(response, one);
        }
    }

    private static void goOn(Reading one, long offset, Inbox inbox) {
        one.next = offset;
        one.through = offset;
        inbox.skipTo(one.index, offset);
    }

    /** The answer as a whole is an error: mostly, the broker has forgotten the session. */
    private void refused(Source source, long now) throws IOException {
        Fault fault = Fault.of(source.response().error());
        boolean session = fault.is(Fault.Known.FETCH_SESSION_ID_NOT_FOUND)
                || fault.is(Fault.Known.INVALID_FETCH_SESSION_EPOCH)
                || fault.is(Fault.Known.FETCH_SESSION_TOPIC_ID_ERROR);
        if (!session && !fault.retriable() && !fault.moved()) {
            throw new IOException("it refuses to be fetched from: " + fault.name() + ", " + fault.message());
        }
        source.pause(now, session ? 0 : settings.pauseMillis());
        if (!session) {
            outdated();
        }
    }

    private void trouble(Fault fault, Reading one, long now) throws IOException {
        one.pausedNanos = now + settings.pauseMillis() * MILLI;
        if (fault.is(Fault.Known.OFFSET_OUT_OF_RANGE)) {
            stray(one);
        } else if (fault.moved()) {
            outdated();
        } else if (!fault.retriable() || fault.is(Fault.Known.CORRUPT_MESSAGE)) {
            throw new IOException(
                    "partition " + one.partition + " cannot be fetched: " + fault.name() + ", " + fault.message());
        }
    }

    private void stray(Reading one) {
        if (settings.reset() == FetchSettings.Reset.NONE) {
            throw new IllegalStateException(name + ": partition " + one.partition + " has no offset " + one.next
                    + ", and auto.offset.reset is none");
        }
        one.astray = true;
        Thread asking = new Thread(
                () -> {
                    long beginning = bounds.beginnings()[one.index];
                    long end = bounds.ends()[one.index];
                    hear(inbox -> found(one, beginning, end, inbox));
                },
                name + "-bounds");
        asking.setDaemon(true);
        asking.setUncaughtExceptionHandler(
                (thread, why) -> hear(inbox -> found(one, Reading.UNKNOWN, Reading.UNKNOWN, inbox)));
        asking.start();
    }

    private void found(Reading one, long beginning, long end, Inbox inbox) {
        one.astray = false;
        one.lastEpoch = Reading.UNKNOWN;
        // Nobody knows: asked again, it is refused again.
        boolean known = beginning >= 0 && end >= 0;
        if (known && (one.next < beginning || one.next > end)) {
            goOn(one, settings.reset() == FetchSettings.Reset.EARLIEST ? beginning : end, inbox);
        }
    }

    @Override
    public void close() {
        leaders.forget(listener);
        List<News> late;
        synchronized (news) {
            ended = true;
            late = List.copyOf(news);
            news.clear();
        }
        sources.forEach(Source::close);
        sources.clear();
        try {
            late.forEach(News::drop);
            selector.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing a selector", e);
        } finally {
            intake.close();
        }
    }
}
