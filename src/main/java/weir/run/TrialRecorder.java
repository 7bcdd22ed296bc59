package weir.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.judge.ProbeSeries;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.trial.Trial;
import weir.results.TrialWriter;
import weir.results.WindowRow;
import weir.results.value.Event;
import weir.results.value.LatencyResult;
import weir.results.value.TrialEnd;
import weir.run.disturbance.TrialNotes;

/** A writer of the data of workers and probes into a trial's files, window by window. Safe for many threads. */
public final class TrialRecorder implements LoadListener, TrialNotes {
    /** The number of new windows that may still get parts from a worker or an idle thread. */
    private static final int OPEN_WINDOWS = 2;

    private static final double SECOND = 1e9;

    private volatile @Nullable UncheckedIOException unwritten;

    private final TrialWriter writer;
    private final RunListeners listeners;
    private final Trial trial;
    private final LongSupplier clock;
    private final long originMillis;
    private final long originNanos;
    private final Series.Windows windows = new Series.Windows();
    private final ProbeSeries readings = new ProbeSeries();

    private final SortedMap<Integer, WorkerLatencies> workers = new ConcurrentSkipListMap<>();
    private final HistogramLog log;
    private final List<Consumer<WindowRow>> watchers = new ArrayList<>();
    private long newest;
    private Steps parts = Steps.WHOLE;

    /**
     * @param clock the steady clock of the lab, which also measures {@code originNanos}
     * @param originMillis the same moment by the wall clock
     */
    TrialRecorder(
            Trial trial,
            TrialWriter writer,
            LongSupplier clock,
            long originNanos,
            long originMillis,
            RunListeners listeners) {
        this.trial = trial;
        this.clock = clock;
        this.originMillis = originMillis;
        this.writer = writer;
        this.listeners = listeners;
        this.originNanos = originNanos;
        this.log = new HistogramLog(writer.latency(), originMillis);
    }

    synchronized void parts(Steps steps) {
        parts = steps;
    }

    synchronized Steps parts() {
        return parts;
    }

    synchronized void watch(Consumer<WindowRow> watcher) {
        watchers.add(watcher);
    }

    synchronized void unwatch(Consumer<WindowRow> watcher) {
        watchers.remove(watcher);
    }

    @Override
    public synchronized void window(Snapshot snapshot) {
        windows.add(snapshot);
        newest = Math.max(newest, snapshot.index());
        write(newest - OPEN_WINDOWS);
    }

    @Override
    public void window(int worker, Snapshot snapshot) {
        workers.computeIfAbsent(worker, WorkerLatencies::new).add(snapshot.by(parts()));
        window(snapshot);
    }

    @Override
    public void reading(Reading reading) {
        String source = reading.source();
        if (source.startsWith("readers")
                || (source.startsWith("client") && EffectiveSettings.SEEN.contains(reading.metric()))) {
            readings.add(reading);
        }
        listeners.each(listener -> listener.reading(trial, reading));
        writer.reading(reading);
    }

    @Override
    public void event(String text) {
        mark("client", text);
    }

    void note(String text) {
        mark("note", text);
    }

    public void mark(String name, String text) {
        mark(clock.getAsLong(), name, text);
    }

    @Override
    public void mark(long nanos, String name, String text) {
        Event event = new Event(second(nanos), name, text);
        try {
            writer.event(event);
        } catch (UncheckedIOException e) {
            // The caller may have to stop the trial or report a death, so the trial fails with the next window.
            unwritten = e;
        }
        listeners.each(listener -> listener.event(trial, event));
    }

    public double second(long nanos) {
        return (nanos - originNanos) / SECOND;
    }

    long originNanos() {
        return originNanos;
    }

    TrialEnd.Clocks clocks(Instant wall, long nanos) {
        return new TrialEnd.Clocks(wall.toEpochMilli() - originMillis, (nanos - originNanos) / 1e6);
    }

    Path folder() {
        return writer.path();
    }

    @Override
    public void reading(String source, String metric, double value) {
        reading(new Reading(Math.floor(second(clock.getAsLong())), source, metric, value));
    }

    void failed(RuntimeException failure, String why) {
        try {
            flush();
            mark(Event.FAILED, why);
        } catch (RuntimeException unwritable) {
            failure.addSuppressed(unwritable);
        }
    }

    synchronized void flush() {
        write(Long.MAX_VALUE);
    }

    List<TrialEnd.WorkerLatency> workers(int step) {
        return workers.values().stream().map(worker -> worker.of(step)).toList();
    }

    public ProbeSeries readings() {
        return readings;
    }

    private void write(long before) {
        UncheckedIOException failed = unwritten;
        if (failed != null) {
            throw failed;
        }
        for (Snapshot window : windows.take(before)) {
            Numbers all = window.all();
            WindowRow row = row(window, all);
            log.write(window, parts, row.second(), row.second() + row.seconds());
            writer.operations(all.singles().values());
            writer.counts(window, parts);
            writer.window(row);
            listeners.each(listener -> listener.window(trial, row));
            listeners.each(listener -> listener.window(trial, window.by(parts), originMillis + 1_000 * window.index()));
            List.copyOf(watchers).forEach(watcher -> watcher.accept(row));
        }
    }

    private WindowRow row(Snapshot window, Numbers all) {
        double second = window.index();
        return new WindowRow(
                second,
                1,
                window.steps().stream().mapToInt(parts::step).max().orElse(WindowRow.NO_STEP),
                WindowRow.counts(all::count),
                WindowRow.latencies(kind -> WindowRow.Spread.of(all.latency(kind))),
                readings.last("readers", "lag.records", second, second + 1),
                readings.last("readers", "lag.seconds", second, second + 1));
    }

    /**
     * The latencies of one of several workers, for its caveats and its row in the report. A histogram takes 100 kB, and
     * a few kB when packed after its step. Later values are still added. Safe for many threads.
     */
    static final class WorkerLatencies {
        private final int worker;
        private final Map<Integer, Kept> open = new HashMap<>();
        private final Map<Integer, byte[]> packed = new HashMap<>();

        WorkerLatencies(int worker) {
            this.worker = worker;
        }

        /** Adds a window or a part. A step without messages in this window counts as ended. */
        synchronized void add(Snapshot window) {
            List<Integer> steps = window.steps();
            for (int step : steps) {
                if (step >= Steps.MEASURE) {
                    open.computeIfAbsent(step, this::taken).add(window.numbers(step));
                }
            }
            List.copyOf(open.keySet()).stream()
                    .filter(step -> !steps.contains(step))
                    .forEach(this::pack);
        }

        synchronized TrialEnd.WorkerLatency of(int step) {
            Kept still = open.get(step);
            Kept kept = still == null ? read(step) : still;
            return new TrialEnd.WorkerLatency(
                    step, worker, LatencyResult.of(kept.late()), LatencyResult.of(kept.response()));
        }

        synchronized int openSteps() {
            return open.size();
        }

        synchronized long packedBytes() {
            return packed.values().stream().mapToLong(bytes -> bytes.length).sum();
        }

        private Kept taken(int step) {
            Kept kept = read(step);
            packed.remove(step);
            return kept;
        }

        private Kept read(int step) {
            byte[] bytes = packed.get(step);
            return bytes == null ? new Kept(new Latency(), new Latency()) : Kept.read(bytes);
        }

        private void pack(int step) {
            Kept over = open.remove(step);
            if (over != null) {
                packed.put(step, over.packed());
            }
        }

        private record Kept(Latency late, Latency response) {
            static Kept read(byte[] bytes) {
                return Io.attempt("reading from memory", () -> {
                    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
                    return new Kept(Latency.read(in), Latency.read(in));
                });
            }

            void add(Numbers numbers) {
                late.add(numbers.latency(LatencyKind.LATE));
                response.add(numbers.latency(LatencyKind.RESPONSE));
            }

            byte[] packed() {
                return Io.attempt("writing to memory", () -> {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    DataOutputStream out = new DataOutputStream(bytes);
                    late.write(out);
                    response.write(out);
                    return bytes.toByteArray();
                });
            }
        }
    }
}
