package weir.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import weir.load.engine.Engine;
import weir.load.engine.EnginePort;
import weir.load.message.Identity;
import weir.load.message.Payloads;
import weir.load.read.Inbox;
import weir.load.send.Outbox;
import weir.load.send.PhaseShare;
import weir.load.send.ProcessPauses;
import weir.load.send.StepClock;
import weir.measure.DisturbanceReadings;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PartitionGaps;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Series;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.StepWindow;
import weir.plan.LoadSpec;
import weir.time.DaemonThreads;

/**
 * One worker's share of a trial's load. From {@link #prepare} to the drain, each sender and reader has a thread. A
 * single thread calls the methods; any thread may call {@link #stop}.
 */
public final class Load implements AutoCloseable {
    private static final int ADDED_NAMES = 10;

    private static final long TIMEOUT_NANOS = 10 * LoadContext.SECOND;

    private static final long NOTICE_NANOS = 8 * LoadContext.SECOND / 10;

    private static final long SINCE_NANOS = LoadContext.SECOND / 20;

    private final LoadContext shared;
    private final Payloads payloads;
    private final LoadListener out;
    private final Senders sending;
    private final Receivers reading;
    private long stillNanos;
    private PhaseShare share;
    private long read;
    private long readNanos;
    private volatile boolean stopped;

    private final List<Ticker> tickers = new ArrayList<>();
    private int known;

    public Load(LoadPlan plan, Engine engine, Payloads payloads, LongSupplier clock, LoadListener out) {
        this.shared = new LoadContext(
                plan,
                engine,
                clock,
                new StepClock(),
                new LoadThreads(clock),
                new ProcessPauses(clock),
                new Ledger(engine.log().partitions()),
                new Series());
        this.known = engine.log().partitions().size();
        if (plan.load().operates()) {
            shared.ledger().judgeTransactions(plan.judgesTransactions());
        }
        this.payloads = payloads;
        this.out = out;
        this.sending = new Senders(shared, payloads, out::event);
        this.reading = new Receivers(shared, payloads.readers());
        this.share = plan.filling(shared.now());
    }

    /** Returns when all senders and readers are ready for the first message. */
    public void prepare(Duration limit) {
        tickers.add(new Ticker(
                "weir-beat",
                shared,
                ProcessPauses.BEAT_NANOS,
                0,
                beat -> shared.pauses().beat()));
        sending.start();
        Duration joining = reading.start(limit);
        if (shared.plan().load().consumers().group().named()) {
            out.reading(new Reading(0, "readers", "joining.ms", joining.toNanos() / 1e6));
        }
        shared.threads().check();
        // A thread hands over its window with the first event after it, or when it wakes from a wait.
        tickers.add(new Ticker("weir-windows", shared, LoadContext.SECOND, LoadContext.SECOND / 4, this::passWindows));
        tickers.add(new Ticker("weir-look", shared, LoadContext.SECOND, 0, this::sample));
    }

    private void passWindows(long second) {
        shared.windows().take(second).forEach(out::window);
    }

    private void sample(long second) {
        long still = shared.pauses().allNanos();
        double percent = 100.0 * (still - stillNanos) / LoadContext.SECOND;
        stillNanos = still;
        EnginePort.Figures generator = figures(second, "generator");
        generator.figure("standstill.percent", Math.min(100, percent));
        sending.report(generator);
        shared.engine().report(figures(second, "client"));
        reportAddedPartitions();
        reading.report(figures(second, "readers"));
        reportGaps();
        reading.reportEach(second, out::reading);
        if (shared.plan().transactional()) {
            reading.reportOpenTransactions(figures(second, "transactions"));
        }
    }

    /** Reports gaps only beside disturbances, because an overloaded partition has one in each second. */
    private void reportGaps() {
        if (!shared.plan().during().isEmpty()) {
            List<String> partitions = shared.engine().log().partitions();
            report(DisturbanceReadings.ACK_GAP, shared.engine().producing().gaps());
            report(
                    DisturbanceReadings.READ_GAP,
                    PartitionGaps.take(reading.inboxes.stream().map(Inbox::gaps).toList(), partitions::get));
        }
    }

    private void report(String metric, Collection<PartitionGaps.Gap> gaps) {
        gaps.forEach(gap -> out.reading(new Reading(
                (gap.endNanos() - shared.plan().originNanos()) / (double) LoadContext.SECOND,
                DisturbanceReadings.PARTITION + "-" + gap.partition(),
                metric,
                gap.nanos() / 1e6)));
    }

    private EnginePort.Figures figures(long second, String source) {
        return (metric, value) -> out.reading(new Reading(second, source, metric, value));
    }

    private void reportAddedPartitions() {
        List<String> partitions = shared.engine().log().partitions();
        if (partitions.size() > known && shared.plan().worker() == 0) {
            List<String> added = partitions.subList(known, partitions.size());
            int more = added.size() - ADDED_NAMES;
            out.event(Ledger.ADDED
                    + added.stream().limit(ADDED_NAMES).collect(Collectors.joining(", "))
                    + (more > 0 ? " and " + more + " more" : ""));
        }
        known = partitions.size();
        shared.ledger().know(partitions);
    }

    public Engine engine() {
        return shared.engine();
    }

    public List<String> notes() {
        List<String> notes = new ArrayList<>(shared.engine().notes());
        if (payloads.headers()) {
            notes.add("Weir puts the identity of each record into a header, because values are text or too small: "
                    + Identity.HEADER_BYTES
                    + " more bytes in each record");
        }
        return notes;
    }

    /** Writes the backlog and waits until all of it is acked. */
    public PhaseTimes fill() {
        long startNanos = shared.now();
        if (shared.plan().backlogRecords() > 0) {
            begin(shared.plan().filling(startNanos), startNanos);
            while (!stopped && (!share.over() || sending.inFlight() > 0)) {
                shared.threads().pause(5);
            }
        }
        return time(startNanos, shared.now(), List.of(), List.of());
    }

    /** Runs the warm-up. Its load continues until the measured phase begins or the senders must finish. */
    public PhaseTimes warmUp(long asked) {
        LoadPlan plan = shared.plan();
        long startNanos = notBeforeNow(asked);
        if (plan.warmup().none()) {
            return time(startNanos, startNanos, List.of(), List.of());
        }
        share.cut(startNanos);
        shared.steps().begin(Steps.WARMUP, startNanos, Schedule.NEVER);
        // The count comes before the first send. If it missed an operation, the load would wait for it forever.
        long before = carried();
        begin(plan.warming(startNanos), startNanos);
        long noticeNanos = after(startNanos, warmupEndNotice(plan.warmupNanos()));
        long operations = plan.warmupOperations();
        long pacedNanos = after(startNanos, plan.pacingNanos());
        while (!stopped && shared.now() < noticeNanos && carried() - before < operations && !ranOut()) {
            if (shared.now() >= pacedNanos) {
                share.cut(pacedNanos);
                begin(plan.pacing(pacedNanos), pacedNanos);
                pacedNanos = Schedule.NEVER;
            }
            shared.threads().pause(5);
        }
        long now = shared.now();
        long endNanos = stopped || now < noticeNanos ? now : Math.max(now, after(startNanos, plan.warmupNanos()));
        PhaseTimes.Step step = new PhaseTimes.Step(Steps.WARMUP, startNanos, endNanos, "warm-up");
        return time(startNanos, endNanos, List.of(step), List.of());
    }

    public PhaseTimes measure(long asked) {
        List<StepWindow> steps = shared.plan().steps();
        long startNanos = notBeforeNow(asked);
        // The warm-up ends first, so that no late warm-up message counts for the first step.
        share.cut(startNanos);
        List<Steps.Part> parts = shared.plan().parts().parts();
        for (int i = 0; i < parts.size(); i++) {
            Steps.Part part = parts.get(i);
            shared.steps().begin(Steps.MEASURE + i, startNanos + part.startNanos(), after(startNanos, part.endNanos()));
        }
        begin(shared.plan().measuring(startNanos), startNanos);
        StepPauses rests = new StepPauses(steps, startNanos, sending::inFlight, reading::passed, System::gc);
        long planned = after(startNanos, steps.get(steps.size() - 1).endNanos());
        reading.changes.begin(shared.plan().during(), startNanos);
        // A phase with a length lasts that long, even without operations at its end.
        while (!stopped && shared.now() < planned && !ranOut() && (planned < Schedule.NEVER || !share.over())) {
            rests.tend(shared::now);
            reading.changes.tend(shared.now());
            shared.threads().pause(5);
        }
        long now = shared.now();
        share.cut(now);
        long endNanos = planned == Schedule.NEVER && share.over() ? share.lastNanos(now) : Math.min(now, planned);
        if (!share.over() && shared.plan().idleNanos() > 0) {
            // Idle time at the end is not reading time.
            endNanos = Math.min(endNanos, readNanos);
        }
        if (shared.plan().readsBacklog()
                && shared.plan().load().rate().closed()
                && planned == Schedule.NEVER
                && !stopped) {
            // The time until this check is not reading time either. The load only counts its last records.
            shared.threads().pause(5);
            long takenNanos =
                    reading.inboxes.stream().mapToLong(Inbox::takenNanos).max().orElse(0);
            endNanos = takenNanos < startNanos ? endNanos : Math.min(endNanos, takenNanos + 1);
        }
        shared.steps().end(endNanos);
        List<PhaseTimes.Step> ran = new ArrayList<>();
        for (StepWindow step : steps) {
            long begin = startNanos + step.startNanos();
            if (begin < endNanos || ran.isEmpty()) {
                long end = Math.max(begin, Math.min(endNanos, after(startNanos, step.endNanos())));
                ran.add(new PhaseTimes.Step(Steps.MEASURE + step.step(), begin, end, step.label()));
            }
        }
        return time(startNanos, endNanos, ran, rests.over);
    }

    /** Ends the running phase, or the next phase if none is running. Any thread may call it. */
    public void stop() {
        stopped = true;
        shared.threads().wake();
    }

    /** Sends nothing new; returns the number of unresolved messages at the deadline. */
    public long finishSending(long deadlineNanos) {
        share.cut(shared.now());
        return sending.finish(deadlineNanos);
    }

    /** Reads to the ends after the producers of all workers are closed; returns the number of unread messages. */
    public long finishReading(long deadlineNanos) {
        long unread = reading.finish(deadlineNanos);
        tickers.forEach(Ticker::close);
        reportGaps();
        reportAddedPartitions();
        passWindows(Long.MAX_VALUE);
        long second = Math.floorDiv(shared.now() - shared.plan().originNanos(), LoadContext.SECOND);
        reading.furthest(figures(second, "readers"));
        return unread;
    }

    public SortedMap<String, Long> positions() {
        return reading.positions();
    }

    /**
     * Reads all records that no reader has read, outside of the measured time. {@code reached} contains the positions
     * of all workers' readers.
     */
    public void verify(Map<String, Long> reached, long deadlineNanos) {
        reading.verify(reached, deadlineNanos);
    }

    public Ledger finish() {
        reading.countExpired();
        reading.countStreamed();
        shared.threads().check();
        return shared.ledger();
    }

    @Override
    public void close() {
        sending.abandon();
        reading.abandon();
        tickers.forEach(Ticker::close);
        shared.threads().join("", shared.now() + TIMEOUT_NANOS);
        reading.close();
        shared.engine().close();
    }

    private void begin(PhaseShare next, long startNanos) {
        share = next;
        read = reading.passed();
        readNanos = startNanos;
        LoadPlan plan = shared.plan();
        boolean fill = next.plan().step() == Steps.FILL;
        int producers = plan.load().producers().count();
        if (plan.readsBacklog() && !fill) {
            for (Inbox inbox : reading.inboxes) {
                // A reader reads more if its partitions contain more records.
                inbox.phases.begin(next.flexibleShare(
                        inbox.reader(), plan.load().consumers().count()));
            }
            return;
        }
        for (Outbox outbox : sending.outboxes(fill)) {
            // In a stream, a producer with more records in its partitions does more operations.
            outbox.dues()
                    .phases
                    .begin(
                            plan.streams() && !fill
                                    ? next.watchedShare(outbox.context.producer() - producers, producers)
                                    : next.fixedShare(outbox.context.producer(), producers));
        }
        if (plan.load().workload() == LoadSpec.Workload.DELIVER && next.plan().step() == Steps.MEASURE) {
            reading.inboxes.forEach(inbox -> inbox.beginAt(next.plan().startNanos()));
        }
    }

    // The measured phase begins at a whole second. The warm-up reports its end shortly before that second, because the
    // request for the phase takes a moment. The warm-up load continues.
    static long warmupEndNotice(long warmupNanos) {
        if (warmupNanos == Schedule.NEVER) {
            return warmupNanos;
        }
        long whole = Math.floorDiv(warmupNanos - 1, LoadContext.SECOND) * LoadContext.SECOND;
        return Math.max(whole + SINCE_NANOS, warmupNanos - NOTICE_NANOS);
    }

    private long notBeforeNow(long startNanos) {
        long late = shared.now() - startNanos;
        return late < 0 ? startNanos : startNanos + (late / LoadContext.SECOND + 1) * LoadContext.SECOND;
    }

    private boolean ranOut() {
        boolean reads = shared.plan().readsBacklog() && share.plan().step() != Steps.FILL;
        boolean dry = shared.plan().streams() && share.plan().step() != Steps.FILL && sending.dry();
        return dry || (reads && (shared.plan().idleNanos() > 0 ? idle() : reading.ranOut()));
    }

    private boolean idle() {
        long passed = reading.passed();
        if (passed != read) {
            read = passed;
            readNanos = shared.now();
        }
        return shared.now() - readNanos >= shared.plan().idleNanos();
    }

    private long carried() {
        return shared.plan().readsBacklog() ? reading.passed() : sending.operated();
    }

    private PhaseTimes time(long startNanos, long endNanos, List<PhaseTimes.Step> ran, List<PhaseTimes.Rest> rests) {
        boolean ended = stopped;
        stopped = false;
        return new PhaseTimes(startNanos, endNanos, ended, ran, rests);
    }

    private static long after(long startNanos, long nanos) {
        return nanos == Schedule.NEVER ? Schedule.NEVER : startNanos + nanos;
    }

    /**
     * The work in the pause between two steps: wait for messages in flight, then collect garbage, so that neither
     * disturbs the next step. In pauses below two seconds it does nothing, because a collection needs a second. One
     * thread calls it.
     */
    static final class StepPauses {
        private static final long FLUSH_NANOS = 5 * LoadContext.SECOND;
        private static final long QUIET_NANOS = LoadContext.SECOND / 10;

        private final List<Rest> ahead = new ArrayList<>();
        final List<PhaseTimes.Rest> over = new ArrayList<>();
        private final LongSupplier inFlight;
        private final LongSupplier read;
        private final Runnable collect;
        private long passed = -1;
        private long quietSince;

        private record Rest(long startNanos, long endNanos) {}

        StepPauses(
                List<StepWindow> steps, long startNanos, LongSupplier inFlight, LongSupplier read, Runnable collect) {
            this.inFlight = inFlight;
            this.read = read;
            this.collect = collect;
            for (int i = 1; i < steps.size(); i++) {
                long start = startNanos + steps.get(i - 1).endNanos();
                long end = startNanos + steps.get(i).startNanos();
                if (end - start >= 2 * LoadContext.SECOND) {
                    ahead.add(new Rest(start, end));
                }
            }
        }

        void tend(LongSupplier clock) {
            long now = clock.getAsLong();
            if (ahead.isEmpty() || now < ahead.get(0).startNanos()) {
                return;
            }
            Rest rest = ahead.get(0);
            long still = inFlight.getAsLong();
            if (read.getAsLong() != passed) {
                passed = read.getAsLong();
                quietSince = now;
            }
            boolean flushed = still == 0 && now - quietSince >= QUIET_NANOS;
            if (!flushed && now < Math.min(rest.startNanos + FLUSH_NANOS, rest.endNanos - LoadContext.SECOND)) {
                return;
            }
            ahead.remove(0);
            collect.run();
            over.add(new PhaseTimes.Rest(rest.startNanos(), now, still, clock.getAsLong()));
        }
    }

    static final class Ticker implements AutoCloseable {
        private final Thread thread;
        volatile long nextNanos = Long.MIN_VALUE;
        private volatile boolean closed;

        /** Calls {@code task} after each period with the period's number. An exception of the task fails the load. */
        Ticker(String name, LoadContext shared, long periodNanos, long offsetNanos, LongConsumer task) {
            long originNanos = shared.plan().originNanos();
            thread = DaemonThreads.of(name, () -> {
                long period = Math.floorDiv(shared.now() - offsetNanos - originNanos, periodNanos);
                while (!closed) {
                    long next = originNanos + (period + 1) * periodNanos + offsetNanos;
                    nextNanos = next;
                    long now = shared.now();
                    if (now < next) {
                        LockSupport.parkNanos(this, next - now);
                    } else {
                        task.accept(period);
                        period = Math.max(
                                period + 1, Math.floorDiv(shared.now() - offsetNanos - originNanos, periodNanos));
                    }
                }
            });
            thread.setUncaughtExceptionHandler(shared.threads());
            thread.start();
        }

        @Override
        public void close() {
            closed = true;
            LockSupport.unpark(thread);
            DaemonThreads.join(thread, 10_000);
        }
    }
}
