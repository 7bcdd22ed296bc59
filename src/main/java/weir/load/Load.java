package weir.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import weir.load.Inbox.Counting;
import weir.measure.Ledger;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Steps;
import weir.pace.Pacer;
import weir.pace.Schedule;
import weir.pace.StepWindow;

/**
 * One worker's share of a trial's load, phase by phase. It owns a thread for each sender and reader from {@link #prepare}
 * to the drain, through all stages; its own methods are called by one thread, except {@link #stop}.
 */
public final class Load implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    /** A follower that died holds an end back until it is fenced: nine seconds by default. */
    private static final long SETTLED_NANOS = 15 * SECOND;

    private static final String SENDERS = "weir-producer-";
    private static final String READERS = "weir-reader-";

    private final LoadPlan plan;
    private final Engine engine;
    private final Workload workload;
    private final Contents contents;
    private final LoadListener out;
    private final LongSupplier clock = System::nanoTime;
    private final StepClock steps = new StepClock();
    private final Gaps gaps = new Gaps();
    private final Threads threads = new Threads();
    private final Ledger ledger;
    private final Failures failures;
    private final Windows windows;
    private final long[] from;
    private final Positions positions;
    private final Lag lag;
    private final List<Sender> senders = new ArrayList<>();
    private final List<Receiver> receivers = new ArrayList<>();
    private final List<Ticker> tickers = new ArrayList<>();
    private final List<Outbox> outboxes = new ArrayList<>();
    private final List<Inbox> inboxes = new ArrayList<>();
    private Stint stint;
    private long[] ends = {};
    private volatile boolean stopped;

    /** Where the readers will start is fixed here, before anything is sent. */
    public Load(LoadPlan plan, Engine engine, Workload workload, Contents contents, LoadListener out) {
        this.plan = plan;
        this.engine = engine;
        this.workload = workload;
        this.contents = contents;
        this.out = out;
        this.failures = new Failures(out::event);
        this.windows = new Windows(out::window);
        this.ledger = new Ledger(engine.partitions());
        boolean old = workload.readsBacklog() && plan.backlogRecords() == 0;
        this.from = old ? engine.beginnings() : ends(clock.getAsLong() + 10 * SECOND);
        this.positions = new Positions(from, plan.workers() == 1);
        this.lag = new Lag(from.length);
        this.stint = plan.filling(clock.getAsLong());
    }

    /** Returns when all senders and readers are ready for the first message. */
    public void prepare(Duration limit) {
        for (int producer : plan.mine(plan.load().producers())) {
            Sender sender = engine.sender(producer);
            senders.add(sender);
            Outbox outbox = outbox(producer, sender);
            outboxes.add(outbox);
            threads.start(SENDERS + producer, () -> sender.carry(outbox));
        }
        if (workload.reads()) {
            Counting counting = workload.readsBacklog() ? Counting.BACKLOG : Counting.ARRIVALS;
            for (int reader : plan.mine(plan.load().consumers())) {
                Receiver receiver = engine.receiver(reader, from);
                receivers.add(receiver);
                Inbox inbox = inbox(reader, counting);
                inboxes.add(inbox);
                threads.start(READERS + reader, () -> receiver.fill(inbox));
            }
            engine.awaitPositions(limit);
        }
        threads.check();
        // A thread hands over its window with the first event behind it, or when it looks up from waiting.
        tickers.add(new Ticker("weir-windows", plan.originNanos(), SECOND / 4, windows::pass, threads));
        tickers.add(new Ticker("weir-look", plan.originNanos(), 0, this::look, threads));
    }

    /** What is worth knowing before anything is measured. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>(engine.notes());
        if (contents.headers()) {
            notes.add("values have no room for the identity, so it travels in a header: " + Identity.HEADER_BYTES
                    + " bytes more for each record");
        }
        return notes;
    }

    /** Writes the backlog and returns when all of it is acked. */
    public StageTime fill() {
        long startNanos = clock.getAsLong();
        if (plan.backlogRecords() > 0) {
            begin(plan.filling(startNanos));
            while (!stopped && (!stint.over() || inFlight() > 0)) {
                threads.pause(5);
            }
        }
        return time(startNanos, clock.getAsLong(), List.of());
    }

    /** Returns when it is over; its load goes on until the measured stage begins or the senders are told to finish. */
    public StageTime warmUp(long asked) {
        long startNanos = notPast(asked);
        if (!plan.warms()) {
            return time(startNanos, startNanos, List.of());
        }
        stint.cut(startNanos);
        steps.begin(Steps.WARMUP, startNanos, Schedule.NEVER);
        begin(plan.warming(startNanos));
        long endNanos = after(startNanos, plan.warmupNanos());
        long operations = plan.warmupOperations();
        long before = carried();
        while (!stopped && clock.getAsLong() < endNanos && carried() - before < operations && !ranOut()) {
            threads.pause(5);
        }
        long now = clock.getAsLong();
        return time(startNanos, now, List.of(new StageTime.Step(Steps.WARMUP, startNanos, now, "warm-up")));
    }

    public StageTime measure(long asked) {
        List<StepWindow> windowsOfSteps = plan.steps();
        long startNanos = notPast(asked);
        // First, so that nothing which the warm-up still sends can be taken for the first step's.
        stint.cut(startNanos);
        for (StepWindow step : windowsOfSteps) {
            steps.begin(
                    Steps.MEASURE + step.step(), startNanos + step.startNanos(), after(startNanos, step.endNanos()));
        }
        begin(plan.measuring(startNanos));
        long planned =
                after(startNanos, windowsOfSteps.get(windowsOfSteps.size() - 1).endNanos());
        // A stage that has a length lasts so long, also when its last operation was sent a little earlier.
        while (!stopped && clock.getAsLong() < planned && !ranOut() && (planned < Schedule.NEVER || !stint.over())) {
            threads.pause(5);
        }
        long now = clock.getAsLong();
        stint.cut(now);
        long endNanos = planned == Schedule.NEVER && stint.over() ? stint.lastNanos(now) : Math.min(now, planned);
        steps.end(endNanos);
        List<StageTime.Step> ran = new ArrayList<>();
        for (StepWindow step : windowsOfSteps) {
            long begin = startNanos + step.startNanos();
            if (begin < endNanos || ran.isEmpty()) {
                long end = Math.max(begin, Math.min(endNanos, after(startNanos, step.endNanos())));
                ran.add(new StageTime.Step(Steps.MEASURE + step.step(), begin, end, step.label()));
            }
        }
        return time(startNanos, endNanos, ran);
    }

    /** From any thread: the stage is over now, or the next one at once when none is running. */
    public void stop() {
        stopped = true;
        threads.wake();
    }

    /** Sends nothing new and returns the number of messages that are still unresolved at the deadline. */
    public long finishSending(long deadlineNanos) {
        stint.cut(clock.getAsLong());
        outboxes.forEach(Outbox::close);
        boolean sent = threads.join(SENDERS, deadlineNanos);
        long endNanos = clock.getAsLong();
        long unresolved = inFlight();
        if (!sent || unresolved > 0) {
            outboxes.forEach(outbox -> outbox.outcomes().seal(endNanos));
        }
        senders.forEach(Sender::close);
        threads.join(SENDERS, clock.getAsLong() + 10 * SECOND);
        outboxes.forEach(outbox -> outbox.settle(endNanos));
        failures.lines().forEach(out::event);
        threads.check();
        return unresolved;
    }

    /** Reads up to the ends, now that the producers of all workers are closed; returns what is still unread. */
    public long finishReading(long deadlineNanos) {
        ends = settled(ends(Math.max(deadlineNanos, clock.getAsLong() + SECOND)));
        for (int i = 0; i < ends.length; i++) {
            ledger.end(i, ends[i]);
        }
        long unread = workload.reads() ? positions.missing(ends) : 0;
        while (workload.reads() && !workload.readsBacklog() && unread > 0 && clock.getAsLong() < deadlineNanos) {
            threads.pause(5);
            unread = positions.missing(ends);
        }
        closeReaders();
        tickers.forEach(Ticker::close);
        windows.pass(Long.MAX_VALUE);
        return unread;
    }

    /** Where each partition has been read up to, by the readers here. */
    public long[] positions() {
        return positions.all();
    }

    /** Reads back what no reader read, off the clock; {@code reached} is up to where the readers of all workers came. */
    public void verify(long[] reached, long deadlineNanos) {
        List<Integer> rest = new ArrayList<>();
        for (int partition : plan.mine(ends.length)) {
            if (reached[partition] < ends[partition]) {
                rest.add(partition);
            }
        }
        if (rest.isEmpty()) {
            return;
        }
        rest.forEach(partition -> positions.next(partition, reached[partition]));
        Receiver receiver = engine.verifier(rest, reached);
        receivers.add(receiver);
        Inbox inbox = inbox(plan.load().consumers() + plan.worker(), Counting.LEDGER_ONLY);
        inboxes.add(inbox);
        threads.start(READERS + "verify", () -> receiver.fill(inbox));
        while (rest.stream().anyMatch(p -> positions.next(p) < ends[p]) && clock.getAsLong() < deadlineNanos) {
            threads.pause(5);
        }
        closeReaders();
    }

    /** The ledger, complete. */
    public Ledger finish() {
        long[] beginnings = engine.beginnings();
        ReadLedger expiry = ledger.reader();
        for (int i = 0; i < beginnings.length; i++) {
            long expired = gaps.expired(i, beginnings[i]);
            if (expired > 0) {
                expiry.expired(i, expired);
            }
        }
        expiry.handOver();
        threads.check();
        return ledger;
    }

    /** Leaves no thread and no connection; what was in flight is lost. */
    @Override
    public void close() {
        outboxes.forEach(Outbox::close);
        senders.forEach(Sender::close);
        inboxes.forEach(Inbox::close);
        tickers.forEach(Ticker::close);
        threads.join("", clock.getAsLong() + 10 * SECOND);
        receivers.forEach(Receiver::close);
        engine.close();
    }

    private void closeReaders() {
        inboxes.forEach(Inbox::close);
        if (!threads.join(READERS, clock.getAsLong() + 30 * SECOND)) {
            throw new IllegalStateException("a reader does not come back from its poll");
        }
        threads.check();
        inboxes.forEach(Inbox::settle);
        receivers.forEach(Receiver::close);
        inboxes.clear();
        receivers.clear();
    }

    private void begin(Stint next) {
        stint = next;
        workload.begin(next, crew());
    }

    /** A stage that is asked for too late begins a second later, still in step with the windows. */
    private long notPast(long startNanos) {
        long late = clock.getAsLong() - startNanos;
        return late < 0 ? startNanos : startNanos + (late / SECOND + 1) * SECOND;
    }

    private Crew crew() {
        return new Crew(outboxes, plan.load().producers(), inboxes, plan.load().consumers());
    }

    private Outbox outbox(int producer, Sender sender) {
        SentLedger sent = ledger.sender(producer);
        Recorder here = recorder();
        long timeoutNanos = sender.timeout().toNanos();
        Outcomes outcomes =
                new Outcomes(new Outcomes.Around(steps, clock, failures, timeoutNanos), sent, here, recorder());
        Outbox.Surroundings around =
                new Outbox.Surroundings(plan.runTag(), producer, engine.topics(), steps, clock, new Pacer(clock));
        return new Outbox(around, contents.values(producer), contents.keys(producer), sent, here, outcomes);
    }

    private Inbox inbox(int reader, Counting counting) {
        Inbox.Surroundings around =
                new Inbox.Surroundings(plan.runTag(), steps, clock, new Pacer(clock), positions, gaps);
        return new Inbox(around, counting, reader, from.length, ledger.reader(), recorder());
    }

    private Recorder recorder() {
        return new Recorder(plan.originNanos(), SECOND, windows::add);
    }

    private void look(long second) {
        engine.look((metric, value) -> out.reading(second, "client", metric, value));
        if (workload.reads() && lag.look(clock.getAsLong(), engine.ends(), positions)) {
            out.reading(second, "readers", "lag.records", (double) lag.records());
            out.reading(second, "readers", "lag.records.max", (double) lag.worstRecords());
            out.reading(second, "readers", "lag.seconds", lag.seconds());
        }
    }

    /** Of a backlog, whether all was read. */
    private boolean ranOut() {
        if (!workload.readsBacklog() || stint.step() == Steps.FILL) {
            return false;
        }
        if (ends.length == 0) {
            ends = ends(clock.getAsLong() + 10 * SECOND);
        }
        return positions.missing(ends) == 0;
    }

    private long carried() {
        return workload.readsBacklog()
                ? positions.passed(from)
                : outboxes.stream().mapToLong(Outbox::sent).sum();
    }

    private long inFlight() {
        return outboxes.stream().mapToLong(Outbox::inFlight).sum();
    }

    private StageTime time(long startNanos, long endNanos, List<StageTime.Step> ran) {
        boolean ended = stopped;
        stopped = false;
        return new StageTime(startNanos, endNanos, ended, ran);
    }

    private static long after(long startNanos, long nanos) {
        return nanos == Schedule.NEVER ? Schedule.NEVER : startNanos + nanos;
    }

    // Readers see a partition end where all its replicas in sync are: with acks=1, before what was acked. What lies
    // behind
    // that end is not lost; it is lost when the end comes no nearer.
    private long[] settled(long[] first) {
        long[] acked = engine.ackedEnds();
        long[] known = first;
        long grewNanos = clock.getAsLong();
        while (IntStream.range(0, known.length).anyMatch(behind(known, acked))
                && clock.getAsLong() - grewNanos < SETTLED_NANOS) {
            threads.pause(50);
            long[] now = ends(clock.getAsLong() + 10 * SECOND);
            if (!Arrays.equals(now, known)) {
                grewNanos = clock.getAsLong();
                known = now;
            }
        }
        return known;
    }

    private static IntPredicate behind(long[] ends, long[] acked) {
        return partition -> ends[partition] < acked[partition];
    }

    private long[] ends(long deadlineNanos) {
        while (true) {
            long[] known = engine.ends();
            int unknown = 0;
            while (unknown < known.length && known[unknown] >= 0) {
                unknown++;
            }
            if (unknown == known.length) {
                return known;
            }
            if (clock.getAsLong() >= deadlineNanos) {
                throw new IllegalStateException(
                        "nobody says where partition " + engine.partitions().get(unknown) + " ends");
            }
            threads.pause(100);
        }
    }
}
