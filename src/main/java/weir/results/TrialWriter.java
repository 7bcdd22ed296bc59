package weir.results;

import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.io.Io;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.trial.Trial;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * A writer of a running trial's files, safe for many threads. It flushes each window, so a killed trial loses one
 * second. It writes {@code trial.json} last; without that file, the trial counts as unfinished.
 */
public final class TrialWriter implements AutoCloseable {
    private final Path path;
    private final PrintStream latency;
    private final ReasonedStream latencyFile;
    private final Map<String, BufferedWriter> lines = new HashMap<>();

    private boolean closed;

    private TrialWriter(Path path) throws IOException {
        this.path = path;
        latencyFile = new ReasonedStream(Files.newOutputStream(RunFiles.part(path.resolve(TrialFolder.LATENCY))));
        latency = new PrintStream(new BufferedOutputStream(latencyFile), false, StandardCharsets.UTF_8);
        for (String file : TrialFolder.HEADERS.keySet()) {
            if (!file.equals(TrialFolder.OPERATIONS)) {
                open(file);
            }
        }
    }

    static TrialWriter create(Path trials, Trial trial, Instant now) {
        Path path = trials.resolve(trial.id());
        return Io.attempt("making the trial folder " + path, () -> {
            setAside(path);
            Files.createDirectory(path);
            RunFiles.put(
                    path.resolve(TrialFolder.STARTED),
                    new TrialFolder.Started(
                            trial.number(),
                            trial.variant().name(),
                            trial.repeat(),
                            now.truncatedTo(ChronoUnit.MILLIS).toString(),
                            trial.variant().values(),
                            PlannedTrial.of(trial.variant())));
            return new TrialWriter(path);
        });
    }

    /** Moves an unfinished trial of a killed run aside. Weir keeps its data, and repeats the trial. */
    private static void setAside(Path trial) throws IOException {
        if (!Files.exists(trial)) {
            return;
        }
        Path run = trial.resolveSibling("").resolveSibling("unfinished");
        Files.createDirectories(run);
        Path aside = run.resolve(trial.getFileName());
        for (int more = 1; Files.exists(aside); more++) {
            aside = run.resolve(trial.getFileName() + "." + more);
        }
        Files.move(trial, aside);
        // Recordings of a profiler are large, and a truncated recording is unreadable.
        try (DirectoryStream<Path> recordings = Files.newDirectoryStream(aside, "profile-*.{jfr,log}")) {
            for (Path recording : recordings) {
                Files.delete(recording);
            }
        }
    }

    private void open(String file) throws IOException {
        BufferedWriter writer = Files.newBufferedWriter(RunFiles.part(path.resolve(file)));
        lines.put(file, writer);
        writer.append(TrialFolder.HEADERS.getOrDefault(file, "")).append('\n').flush();
    }

    public Path path() {
        return path;
    }

    public Path brokerLogs() {
        Path logs = path.resolve("brokers");
        Io.attempt("making " + logs, () -> Files.createDirectories(logs));
        return logs;
    }

    /** Writes the facts that are known when the brokers run, before the first message. */
    public void conditions(TrialConditions conditions) {
        RunFiles.put(path.resolve(TrialFolder.CONDITIONS), conditions);
    }

    public void window(WindowRow row) {
        write(TrialFolder.WINDOWS, row.line());
        flush();
    }

    /** Writes the counts of a window, or a part of it, by the parts of steps. Called before its row is written. */
    public void counts(Snapshot window, Steps parts) {
        for (int step : window.steps()) {
            List<Object> cells = new ArrayList<>(List.of(window.index(), parts.name(step)));
            Numbers numbers = window.numbers(step);
            Count.OF_STEPS.forEach(count -> cells.add(numbers.count(count)));
            write(TrialFolder.COUNTS, Csv.line(cells));
        }
    }

    /** Writes the response of each operation. The first call creates the file. */
    public synchronized void operations(long[] nanos) {
        if (nanos.length > 0 && !lines.containsKey(TrialFolder.OPERATIONS)) {
            Io.attempt("writing to " + path, () -> open(TrialFolder.OPERATIONS));
        }
        for (long each : nanos) {
            write(TrialFolder.OPERATIONS, Long.toString(each));
        }
    }

    public void reading(Reading reading) {
        write(
                TrialFolder.PROBES,
                Csv.line(List.of(reading.second(), reading.source(), reading.metric(), reading.value())));
    }

    public void event(Event event) {
        write(TrialFolder.EVENTS, Csv.line(List.of(event.second(), event.name(), event.text())));
        flush();
    }

    /** The histogram log. A window's latencies are written before its row. */
    public PrintStream latency() {
        return latency;
    }

    public void spectrum(LatencyKind metric, int step, Latency curve) {
        for (Latency.Point point : curve.spectrum()) {
            String tag = metric.word() + "@" + step;
            write(TrialFolder.SPECTRUM, Csv.line(List.of(tag, point.percentile(), point.millis())));
        }
    }

    public TrialFolder end(TrialEnd end) {
        flush();
        Io.attempt("writing to " + path, () -> {
            synchronized (this) {
                BufferedWriter windows = lines.remove(TrialFolder.WINDOWS);
                if (windows != null) {
                    windows.close();
                }
            }
            addUpLateParts();
        });
        RunFiles.put(path.resolve(TrialFolder.END), end);
        return TrialFolder.open(path);
    }

    /** Renames all files to their final names. Then the trial counts as finished. */
    public void finish(TrialResult result, List<Caveat> caveats) {
        close();
        Io.attempt("finishing " + path, () -> {
            addUpLateParts();
            for (String file : TrialFolder.FILES) {
                Path whole = path.resolve(file);
                if (!file.equals(TrialFolder.OPERATIONS) || lines.containsKey(file)) {
                    Files.move(RunFiles.part(whole), whole, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        });
        RunFiles.put(path.resolve(TrialFolder.CAVEATS), caveats);
        RunFiles.put(path.resolve(TrialFolder.TRIAL), result);
    }

    private void addUpLateParts() throws IOException {
        TrialFolder written = TrialFolder.open(path);
        List<WindowRow> rows = written.windows();
        if (rows.size() < written.rows().size()) {
            List<String> lines = new ArrayList<>(List.of(WindowRow.HEADER));
            rows.forEach(row -> lines.add(row.line()));
            Files.write(RunFiles.part(path.resolve(TrialFolder.WINDOWS)), lines);
        }
    }

    private synchronized void write(String file, String line) {
        BufferedWriter writer = lines.get(file);
        if (closed || writer == null) {
            throw new IllegalStateException("trial " + path.getFileName() + " is closed; nothing can be added to it");
        }
        // Called for each operation, so without a lambda.
        try {
            writer.append(line).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("writing to " + path, e);
        }
    }

    private synchronized void flush() {
        Io.attempt("writing to " + path, () -> {
            flushLatency();
            for (BufferedWriter writer : lines.values()) {
                writer.flush();
            }
        });
    }

    // A PrintStream reports failures only on request, and without a reason.
    private void flushLatency() throws IOException {
        if (latency.checkError()) {
            throw new IOException("the histogram log cannot be written", latencyFile.reason);
        }
    }

    /** Writes a finished trial that another tool measured, without raw data. */
    public static void imported(
            Path trials, TrialResult result, List<TrialFolder.Point> spectrum, List<Caveat> caveats) {
        String workload = result.settings().getOrDefault("load.workload", "");
        PlannedTrial plan = PlannedTrial.imported(EnumNames.constant(workload, LoadSpec.Workload.class));
        Path path = trials.resolve(String.format("%02d-%s-%d", result.trial(), result.variant(), result.repeat()));
        List<String> lines = new ArrayList<>(List.of(TrialFolder.HEADERS.getOrDefault(TrialFolder.SPECTRUM, "")));
        spectrum.forEach(
                point -> lines.add(Csv.line(List.of(point.latency(), point.percentile(), point.milliseconds()))));
        Io.attempt("writing " + path, () -> {
            Files.createDirectory(path);
            Files.write(path.resolve(TrialFolder.SPECTRUM), lines);
        });
        RunFiles.put(
                path.resolve(TrialFolder.STARTED),
                new TrialFolder.Started(
                        result.trial(),
                        result.variant(),
                        result.repeat(),
                        result.startedAt(),
                        result.settings(),
                        plan));
        RunFiles.put(path.resolve(TrialFolder.CONDITIONS), TrialConditions.NONE);
        RunFiles.put(path.resolve(TrialFolder.CAVEATS), caveats);
        RunFiles.put(path.resolve(TrialFolder.TRIAL), result);
    }

    private static final class ReasonedStream extends FilterOutputStream {
        private @Nullable IOException reason;

        ReasonedStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                reason = e;
                throw e;
            }
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            for (BufferedWriter writer : lines.values()) {
                writer.close();
            }
            flushLatency();
        } catch (IOException e) {
            throw new UncheckedIOException("closing " + path, e);
        } finally {
            latency.close();
        }
    }
}
