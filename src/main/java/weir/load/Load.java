package weir.load;

import java.time.Duration;
import java.util.ArrayList;
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
import weir.load.send.ProcessPauses;
import weir.load.send.StepClock;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Series;
import weir.time.DaemonThreads;

/**
 * One worker's share of a trial's load, with a thread for each sender and reader from {@link #prepare} to the drain.
 * One thread calls its methods, except {@link #stop}.
 */
public final class Load implements AutoCloseable {
    private static final int ADDED_NAMES = 10;

    private static final long PATIENCE_NANOS = 10 * LoadContext.SECOND;

    private final LoadContext shared;
    private final Payloads payloads;
    private final LoadListener out;
    private final Senders sending;
    private final Receivers reading;
    private final LoadPhases phases;
    private long stillNanos;

    private final List<Ticker> tickers = new ArrayList<>();
    private int known;

    /** Fixes where the readers start, before anything is sent. */
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
        this.reading = new Receivers(shared);
        this.phases = new LoadPhases(shared, sending, reading);
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
        // A thread hands over its window with the first event behind it, or when it looks up from waiting.
        tickers.add(new Ticker("weir-windows", shared, LoadContext.SECOND, LoadContext.SECOND / 4, this::passWindows));
        tickers.add(new Ticker("weir-look", shared, LoadContext.SECOND, 0, this::look));
    }

    private void passWindows(long second) {
        shared.windows().take(second).forEach(out::window);
    }

    private void look(long second) {
        long still = shared.pauses().allNanos();
        double percent = 100.0 * (still - stillNanos) / LoadContext.SECOND;
        stillNanos = still;
        EnginePort.Figures generator = figures(second, "generator");
        generator.figure("standstill.percent", Math.min(100, percent));
        sending.look(generator);
        shared.engine().look(figures(second, "client"));
        tellAdded();
        reading.look(figures(second, "readers"));
        if (shared.plan().transactional()) {
            reading.lookForOpen(figures(second, "transactions"));
        }
    }

    private EnginePort.Figures figures(long second, String source) {
        return (metric, value) -> out.reading(new Reading(second, source, metric, value));
    }

    private void tellAdded() {
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

    public List<String> notes() {
        List<String> notes = new ArrayList<>(shared.engine().notes());
        if (payloads.headers()) {
            notes.add("values are text or have no room for the identity, so it travels in a header: "
                    + Identity.HEADER_BYTES
                    + " bytes more for each record");
        }
        return notes;
    }

    /** Writes the backlog and returns when all of it is acked. */
    public PhaseTimes fill() {
        return phases.fill();
    }

    /**
     * Returns when the warm-up is over; its load goes on until the measured phase begins or the senders have to
     * finish.
     */
    public PhaseTimes warmUp(long asked) {
        return phases.warmUp(asked);
    }

    public PhaseTimes measure(long asked) {
        return phases.measure(asked);
    }

    /** Ends the running phase, or the next one if none is running. Any thread may call it. */
    public void stop() {
        phases.stop();
    }

    /** Sends nothing new; returns the number of messages that are still unresolved at the deadline. */
    public long finishSending(long deadlineNanos) {
        phases.end();
        return sending.finish(deadlineNanos);
    }

    /** Reads up to the ends after the producers of all workers are closed; returns the number of unread messages. */
    public long finishReading(long deadlineNanos) {
        long unread = reading.finish(deadlineNanos);
        tickers.forEach(Ticker::close);
        tellAdded();
        passWindows(Long.MAX_VALUE);
        long second = Math.floorDiv(shared.now() - shared.plan().originNanos(), LoadContext.SECOND);
        reading.furthest(figures(second, "readers"));
        return unread;
    }

    public SortedMap<String, Long> positions() {
        return reading.positions();
    }

    /**
     * Reads back, outside the measurement, all records that no reader read; {@code reached} holds the positions of all
     * workers' readers.
     */
    public void verify(Map<String, Long> reached, long deadlineNanos) {
        reading.verify(reached, deadlineNanos);
    }

    public Ledger finish() {
        reading.bookExpired();
        reading.bookStreamed();
        shared.threads().check();
        return shared.ledger();
    }

    /** Closes all threads and connections; messages in flight are lost. */
    @Override
    public void close() {
        sending.abandon();
        reading.abandon();
        tickers.forEach(Ticker::close);
        shared.threads().join("", shared.now() + PATIENCE_NANOS);
        reading.close();
        shared.engine().close();
    }

    static final class Ticker implements AutoCloseable {
        private final Thread thread;
        volatile long nextNanos = Long.MIN_VALUE;
        private volatile boolean closed;

        /** Passes {@code task} the number of the period that is over; an exception from the task fails the load. */
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
            try {
                thread.join(10_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
