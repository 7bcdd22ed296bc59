package weir.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.load.engine.EnginePort;
import weir.load.engine.LogView;
import weir.load.message.SerializedValues.ValueReader;
import weir.load.read.ConsumerLag;
import weir.load.read.Inbox;
import weir.load.read.Inbox.Counting;
import weir.load.read.ReadPositions;
import weir.load.read.Receiver;
import weir.load.read.Work;
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.measure.Reading;
import weir.plan.LoadSpec;
import weir.plan.Verify;
import weir.plan.WorkSpec;
import weir.time.DaemonThreads;

/** The readers of a load, each with an inbox and a thread, and the positions of the readers. */
final class Receivers {
    private static final String THREADS = "weir-reader-";
    private static final long PARKED_NANOS = 10 * LoadContext.SECOND;

    private static final long TIMEOUT_NANOS = 30 * LoadContext.SECOND;
    /** The limit for the brokers' answer to a lag query, which runs every second. */
    private static final long LOOK_MILLIS = 500;

    private static final long FOLLOW_NANOS = LoadContext.SECOND / 10;

    private final LoadContext shared;
    private final Supplier<ValueReader> values;
    private final EndOffsetQuery ends;
    private final long[] from;
    private final ReadPositions positions;
    private final ConsumerLag lag = new ConsumerLag();
    private boolean lagKnown;
    final ReaderChanges changes;
    private final List<Receiver> receivers = new CopyOnWriteArrayList<>();
    final List<Inbox> inboxes = new CopyOnWriteArrayList<>();
    private final boolean shares;
    private long followedNanos;
    private long[] last = {};
    private long[] lastEnds;

    private CompletableFuture<long[]> asked = CompletableFuture.completedFuture(new long[0]);

    Receivers(LoadContext shared, Supplier<ValueReader> values) {
        this.shared = shared;
        this.values = values;
        this.ends = new EndOffsetQuery(shared);
        boolean newOnly =
                "latest".equals(shared.plan().load().consumers().properties().get("auto.offset.reset"));
        boolean old = shared.plan().readsForeign() && !newOnly;
        this.from =
                shared.engine().consuming().standing(old ? shared.engine().log().beginnings() : ends.readable());
        this.shares = shared.plan().reads() && shared.engine().consuming().shares();
        if (shares) {
            shared.ledger().share();
        }
        this.positions = new ReadPositions(from, shares || shared.plan().workers() == 1);
        this.lastEnds = from.clone();
        this.changes = new ReaderChanges(
                shared.plan().load().consumers().count(),
                this::join,
                (reader, how) -> each(reader).forEach(inbox -> inbox.leave(how)),
                (reader, how) -> each(reader).forEach(inbox -> inbox.hold(!how.none())));
    }

    private void join(int reader) {
        if (shared.plan().mine(reader + 1).contains(reader)) {
            read(
                    THREADS + reader,
                    shared.engine().consuming().receiver(reader, from),
                    inbox(reader, Counting.ARRIVALS));
        }
    }

    private Stream<Inbox> each(int reader) {
        return inboxes.stream().filter(inbox -> inbox.reader() == reader && !inbox.closed());
    }

    /** Waits until every partition has a position; returns the time since the first reader was created. */
    Duration start(Duration limit) {
        if (!shared.plan().reads()) {
            return Duration.ZERO;
        }
        LoadPlan plan = shared.plan();
        Counting backlog = plan.readsForeign() ? Counting.FOREIGN : Counting.BACKLOG;
        backlog = plan.verify() == Verify.HEADERS ? Counting.HEADERS : backlog;
        Counting counting = shared.plan().readsBacklog() ? backlog : Counting.ARRIVALS;
        long beganNanos = shared.now();
        for (int reader : plan.mine(plan.load().consumers().count())) {
            Inbox inbox = inbox(reader, counting);
            if (plan.load().catchesUp()) {
                inbox.waitToBegin();
            }
            Receiver receiver = shared.engine().consuming().receiver(reader, from);
            beganNanos = receivers.isEmpty() ? shared.now() : beganNanos;
            read(THREADS + reader, receiver, inbox);
        }
        shared.engine().consuming().awaitPositions(limit);
        return Duration.ofNanos(shared.now() - beganNanos);
    }

    private void read(String thread, Receiver receiver, Inbox inbox) {
        receivers.add(receiver);
        inboxes.add(inbox);
        shared.threads().start(thread, () -> receiver.fill(inbox));
    }

    private Inbox inbox(int reader, Counting counting) {
        Inbox.Context context = new Inbox.Context(shared.plan().runTag(), shared.steps(), shared.clock(), positions);
        WorkSpec spec = counting == Counting.LEDGER_ONLY
                ? WorkSpec.NONE
                : shared.plan().load().consumers().work();
        IntFunction<Work> work =
                thread -> new Work(spec, shared.plan().seed() + reader + ((long) thread << 32), shared.clock());
        Inbox inbox = new Inbox(
                context, counting, reader, from.length, shared.ledger().reader(), shared.recorder(), work);
        if (counting == Counting.ARRIVALS || counting == Counting.BACKLOG) {
            inbox.values(values.get());
        }
        return inbox;
    }

    long passed() {
        return shares ? inboxes.stream().mapToLong(Inbox::passed).sum() : positions.passed(from);
    }

    private long missing(long[] end) {
        follow(FOLLOW_NANOS);
        return positions.missing(end);
    }

    /** Sets the positions to the progress of a share group, but not again within this time. */
    private synchronized void follow(long pauseNanos) {
        if (shares && (followedNanos == 0 || shared.now() - followedNanos >= pauseNanos)) {
            long[] reached = shared.engine().consuming().progress(positions.all());
            for (int i = 0; i < reached.length; i++) {
                positions.next(i, reached[i]);
            }
            followedNanos = shared.now();
        }
    }

    boolean ranOut() {
        if (!EndOffsetQuery.known(last) || last.length == 0) {
            last = ends.readableOrUnknown();
        }
        return EndOffsetQuery.known(last) && missing(last) == 0;
    }

    long finish(long deadlineNanos) {
        inboxes.forEach(inbox -> inbox.hold(false));
        return shared.engine().log().lasting() ? finishLog(deadlineNanos) : finishDelivery(deadlineNanos);
    }

    private long finishLog(long deadlineNanos) {
        long[] end = ends.settled(deadlineNanos);
        for (int i = 0; i < end.length; i++) {
            if (!source(i)) {
                // Records may be missing before an unknown end, so they are unread, not lost.
                shared.ledger().end(i, end[i] < 0 ? Ledger.NO_END : end[i]);
            }
        }
        long unread = shared.plan().reads() ? missing(end) : 0;
        while (shared.plan().reads() && !shared.plan().readsBacklog() && unread > 0 && shared.now() < deadlineNanos) {
            shared.threads().pause(5);
            unread = missing(end);
        }
        // Readers no longer wait for records of another producer's open transaction.
        last = !EndOffsetQuery.known(end)
                ? end
                : shared.plan().transactional() ? ends.readable(end, deadlineNanos) : ends.readableOrUnknown();
        stop();
        follow(0);
        return unread;
    }

    // The acker counts acked events, so the ends do not matter.
    private long finishDelivery(long deadlineNanos) {
        LogView log = shared.engine().log();
        long[] end = log.logEnds();
        while ((EndOffsetQuery.unreported(end) || positions.missing(end) > 0) && shared.now() < deadlineNanos) {
            shared.threads().pause(20);
            end = log.logEnds();
        }
        long latestNanos = Math.max(deadlineNanos, shared.now() + PARKED_NANOS);
        boolean parkedKnown = log.countParked(shared.ledger(), shared.plan().runTag(), latestNanos);
        for (int i = 0; i < end.length; i++) {
            shared.ledger().end(i, end[i] < 0 || !parkedKnown ? Ledger.NO_END : end[i]);
        }
        stop();
        // Delivered events cannot be read again.
        last = positions.all();
        // While events arrive, at least one event is in flight.
        return EndOffsetQuery.unreported(end) ? 1 : positions.missing(end);
    }

    SortedMap<String, Long> positions() {
        SortedMap<String, Long> byName = new TreeMap<>();
        List<String> partitions = shared.engine().log().partitions();
        for (int i = 0; i < partitions.size(); i++) {
            byName.put(partitions.get(i), positions.next(i));
        }
        return byName;
    }

    void verify(Map<String, Long> reached, long deadlineNanos) {
        LoadPlan plan = shared.plan();
        List<String> partitions = shared.engine().log().partitions();
        List<Integer> rest = new ArrayList<>();
        long[] at = new long[last.length];
        for (int partition = 0; partition < last.length; partition++) {
            // A share group may have archived any record, so all records are read back.
            long first = partition < from.length ? from[partition] : 0;
            at[partition] = shares ? first : reached.getOrDefault(partitions.get(partition), 0L);
            if (!source(partition) && plan.mine(partitions.get(partition)) && at[partition] < last[partition]) {
                rest.add(partition);
            }
        }
        if (!rest.isEmpty()) {
            readBack(rest, at, deadlineNanos);
        }
        if (shares && rest.stream().allMatch(partition -> positions.next(partition) >= last[partition])) {
            ReadLedger group = shared.ledger().reader();
            for (int partition = 0; partition < last.length; partition++) {
                if (plan.mine(partitions.get(partition))) {
                    group.position(partition, reached.getOrDefault(partitions.get(partition), 0L));
                }
            }
            group.handOver();
        }
    }

    private void readBack(List<Integer> rest, long[] at, long deadlineNanos) {
        LoadPlan plan = shared.plan();
        rest.forEach(partition -> positions.next(partition, at[partition]));
        Inbox inbox =
                inbox(plan.load().consumers().count() + plan.worker(), shares ? Counting.STORED : Counting.LEDGER_ONLY);
        read(THREADS + "verify", shared.engine().consuming().verifier(rest, at), inbox);
        while (rest.stream().anyMatch(p -> positions.next(p) < last[p]) && shared.now() < deadlineNanos) {
            shared.threads().pause(5);
        }
        stop();
    }

    private boolean source(int partition) {
        return shared.plan().streams() && shared.engine().operating().source(partition);
    }

    void countStreamed() {
        long[] streamed = shared.plan().streams() ? shared.engine().operating().streamed() : new long[0];
        for (int i = 0; i < streamed.length; i++) {
            shared.ledger().stood(i, streamed[i]);
        }
    }

    void reportOpenTransactions(EnginePort.Figures into) {
        long[] ends = shared.engine().log().logEnds();
        long[] stable = shared.engine().log().stableEnds();
        if (EndOffsetQuery.known(ends) && EndOffsetQuery.known(stable)) {
            long open = IntStream.range(0, Math.min(ends.length, stable.length))
                    .mapToLong(i -> Math.max(0, ends[i] - stable[i]))
                    .sum();
            into.figure("open.records", (double) open);
        }
    }

    void countExpired() {
        long[] beginnings = shared.engine().log().beginnings();
        ReadLedger expiry = shared.ledger().reader();
        for (int i = 0; i < beginnings.length; i++) {
            long expired = positions.expired(i, beginnings[i]);
            if (expired > 0) {
                expiry.expired(i, expired);
            }
        }
        expiry.handOver();
    }

    void report(EnginePort.Figures into) {
        // A share group has one lag, which the first worker reports.
        boolean reports = !shares || shared.plan().worker() == 0;
        lagKnown = shared.plan().reads() && reports && lag.update(shared.now(), ends(), positions);
        if (lagKnown) {
            into.figure("lag.records", (double) lag.records());
            into.figure("lag.records.max", (double) lag.worstRecords());
            into.figure("lag.seconds", lag.seconds());
        }
    }

    // With acks=1, readers cannot read all acked records while a dead replica counts as in sync. A dead leader reports
    // no end. So the lag also counts acked records beyond the reported ends.
    private long[] ends() {
        LoadPlan plan = shared.plan();
        long[] ends = endsInTime();
        // This worker does not know the acks of other workers, and has no offsets of acks in open transactions.
        boolean acks = shared.engine().log().lasting()
                && !plan.transactional()
                && plan.load().workload() == LoadSpec.Workload.DELIVER
                && shared.engine().producing().confirms();
        List<String> partitions = shared.engine().log().partitions().subList(0, ends.length);
        long[] acked = acks ? shared.engine().producing().ackedEnds(partitions) : new long[ends.length];
        lastEnds = Arrays.copyOf(lastEnds, Math.max(lastEnds.length, ends.length));
        for (int i = 0; i < ends.length; i++) {
            if (ends[i] >= 0) {
                lastEnds[i] = ends[i];
                ends[i] = Math.max(ends[i], acked[i]);
            } else if (acks && plan.workers() == 1) {
                ends[i] = Math.max(lastEnds[i], acked[i]);
            }
        }
        return ends;
    }

    /** Reports the figures of each reader, and its rebalances. */
    void reportEach(long second, Consumer<Reading> into) {
        if (shared.plan().watchesReaders()) {
            inboxes.forEach(inbox -> {
                inbox.activity().reportChanges(shared.plan().originNanos(), into);
                if (!inbox.closed()) {
                    inbox.activity().report(second, into);
                    if (lagKnown && !shares) {
                        inbox.activity().reportLag(second, lag.records(inbox.reader(), positions), into);
                    }
                }
            });
        }
    }

    private long[] endsInTime() {
        long[] unknown = new long[shared.engine().log().partitions().size()];
        Arrays.fill(unknown, -1);
        if (!asked.isDone()) {
            return unknown;
        }
        asked = CompletableFuture.supplyAsync(
                () -> {
                    follow(FOLLOW_NANOS);
                    return shared.engine().log().ends();
                },
                ask -> DaemonThreads.start("weir-ends", ask));
        try {
            return asked.get(LOOK_MILLIS, TimeUnit.MILLISECONDS).clone();
        } catch (TimeoutException late) {
            return unknown;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unknown;
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading the end offsets of partitions", e);
        }
    }

    void furthest(EnginePort.Figures into) {
        if (shared.plan().reads()) {
            List<String> partitions = shared.engine().log().partitions();
            for (int i = 0; i < partitions.size(); i++) {
                into.figure("lag.most." + partitions.get(i), (double) lag.most(i));
            }
        }
    }

    private void stop() {
        abandon();
        if (!shared.threads().join(THREADS, shared.now() + TIMEOUT_NANOS)) {
            throw new IllegalStateException("a reader does not return from its poll");
        }
        shared.threads().check();
        inboxes.forEach(Inbox::settle);
        close();
        inboxes.clear();
        receivers.clear();
    }

    void abandon() {
        inboxes.forEach(Inbox::close);
    }

    void close() {
        receivers.forEach(Receiver::close);
    }

    record EndOffsetQuery(LoadContext shared) {
        /** A dead follower delays the end until it is fenced, nine seconds by default. */
        private static final long SETTLED_NANOS = 15 * LoadContext.SECOND;

        /** The time without change after which Weir counts unacknowledged records before the end as written. */
        private static final long STANDS_NANOS = LoadContext.SECOND;

        private static final long TIMEOUT_NANOS = 10 * LoadContext.SECOND;

        /** The limit for the ends of new topics. The last of a thousand partitions is ready late. */
        private static final long MADE_NANOS = 30 * LoadContext.SECOND;

        /** Returns the ends for readers before anything is sent; fails if an end is unknown at the limit. */
        public long[] readable() {
            long[] known = ask(shared.engine().log()::ends, shared.now() + MADE_NANOS);
            for (int i = 0; i < known.length; i++) {
                if (known[i] < 0) {
                    throw new IllegalStateException("no broker reports the end of partition "
                            + shared.engine().log().partitions().get(i) + " ends");
                }
            }
            return known;
        }

        public long[] readableOrUnknown() {
            return ask(shared.engine().log()::ends, shared.now() + TIMEOUT_NANOS);
        }

        static boolean unreported(long[] ends) {
            return Arrays.stream(ends).anyMatch(end -> end < 0 && end != LogView.UNREPORTED);
        }

        public static boolean known(long[] ends) {
            return Arrays.stream(ends).allMatch(end -> end >= 0);
        }

        // A commit returns before its markers are written. The limit for the markers also limits the wait for another
        // producer's open transaction.
        /** Returns the ends for readers once they equal the ends of the log. */
        public long[] readable(long[] log, long deadlineNanos) {
            long latestNanos = Math.max(deadlineNanos, shared.now() + TIMEOUT_NANOS);
            long[] known = readableOrUnknown();
            while (behind(known, log) && shared.now() < latestNanos) {
                shared.threads().pause(20);
                known = readableOrUnknown();
            }
            return known;
        }

        // The end of the log is that of the slowest in-sync replica. With acks=1, it can be before the last acked
        // record. Later records are lost only if the end stops growing.
        /** Returns the ends of the log once it stops growing; negative if no broker answers any more. */
        public long[] settled(long deadlineNanos) {
            shared.engine().log().update();
            long[] acked =
                    shared.engine().producing().ackedEnds(shared.engine().log().partitions());
            // Sending may have used all the time, and the election of a leader takes a while.
            long[] known = ask(
                    shared.engine().log()::logEnds,
                    Math.max(deadlineNanos, shared.now() + SETTLED_NANOS),
                    deadlineNanos);
            long grewNanos = shared.now();
            long stands = shared.engine().producing().confirms() ? 0 : STANDS_NANOS;
            while (known(known) && shared.now() - grewNanos < (behind(known, acked) ? SETTLED_NANOS : stands)) {
                shared.threads().pause(50);
                long[] now = ask(shared.engine().log()::logEnds, shared.now() + TIMEOUT_NANOS);
                if (!Arrays.equals(now, known)) {
                    grewNanos = shared.now();
                    known = now;
                }
            }
            return known;
        }

        private long[] ask(Supplier<long[]> question, long deadlineNanos) {
            return ask(question, deadlineNanos, deadlineNanos);
        }

        private long[] ask(Supplier<long[]> question, long deadlineNanos, long aloneNanos) {
            long[] known = question.get();
            while (!known(known) && shared.now() < (noBroker(known) ? aloneNanos : deadlineNanos)) {
                shared.threads().pause(100);
                known = question.get();
            }
            return known;
        }

        private static boolean noBroker(long[] ends) {
            return Arrays.stream(ends).allMatch(end -> end == LogView.NO_BROKER);
        }

        private static boolean behind(long[] ends, long[] acked) {
            return IntStream.range(0, Math.min(ends.length, acked.length))
                    .anyMatch(partition -> ends[partition] < acked[partition]);
        }
    }
}
