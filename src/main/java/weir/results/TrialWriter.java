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
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.trial.Trial;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * The files of a trial while it runs; may be used by several threads. Everything is flushed with each window, so a trial
 * that is killed loses a second; {@code trial.json} comes last, and without it the trial counts as unfinished.
 */
public final class TrialWriter implements AutoCloseable {
    private final Path path;
    private final BufferedWriter windows;
    private final PrintStream latency;
    private final ReasonedStream latencyFile;
    private final BufferedWriter counts;
    private final BufferedWriter probes;
    private final BufferedWriter events;
    private final BufferedWriter spectrum;
    private final List<BufferedWriter> all;
    private @Nullable BufferedWriter operations;
    private boolean closed;

    private TrialWriter(Path path) throws IOException {
        this.path = path;
        windows = part(TrialFolder.WINDOWS, WindowRow.HEADER + "\n");
        latencyFile = new ReasonedStream(Files.newOutputStream(TrialFolder.part(path.resolve(TrialFolder.LATENCY))));
        latency = new PrintStream(new BufferedOutputStream(latencyFile), false, StandardCharsets.UTF_8);
        counts = part(TrialFolder.COUNTS, TrialFolder.COUNTS_HEADER + "\n");
        probes = part(TrialFolder.PROBES, TrialFolder.PROBES_HEADER + "\n");
        events = part(TrialFolder.EVENTS, TrialFolder.EVENTS_HEADER + "\n");
        spectrum = part(TrialFolder.SPECTRUM, TrialFolder.SPECTRUM_HEADER + "\n");
        all = new ArrayList<>(List.of(windows, counts, probes, events, spectrum));
    }

    static TrialWriter create(Path trials, Trial trial, Instant now) {
        Path path = trials.resolve(trial.id());
        try {
            setAside(path);
            Files.createDirectory(path);
            RunFolder.put(
                    path.resolve(TrialFolder.STARTED),
                    ResultJson.write(new TrialFolder.Started(
                            trial.number(),
                            trial.variant().name(),
                            trial.repeat(),
                            now.truncatedTo(ChronoUnit.MILLIS).toString(),
                            trial.variant().values(),
                            PlannedTrial.of(trial.variant()))));
            return new TrialWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException("making the trial folder " + path, e);
        }
    }

    /** A trial that a killed run left unfinished is done again; what it had is kept, but counts no more. */
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
        // The recordings of a profiler are large, and nobody can read what was cut off.
        try (DirectoryStream<Path> recordings = Files.newDirectoryStream(aside, "profile-*.{jfr,log}")) {
            for (Path recording : recordings) {
                Files.delete(recording);
            }
        }
    }

    private BufferedWriter part(String file, String header) throws IOException {
        BufferedWriter writer = Files.newBufferedWriter(TrialFolder.part(path.resolve(file)));
        writer.write(header);
        writer.flush();
        return writer;
    }

    public Path path() {
        return path;
    }

    /** Where the brokers of this trial log to. */
    public Path brokerLogs() {
        Path logs = path.resolve("brokers");
        try {
            return Files.createDirectories(logs);
        } catch (IOException e) {
            throw new UncheckedIOException("making " + logs, e);
        }
    }

    /** The brokers are up: writes down what is known before anything is sent. */
    public void conditions(TrialConditions conditions) {
        RunFolder.put(path.resolve(TrialFolder.CONDITIONS), ResultJson.write(conditions));
    }

    /** Ends a window: writes its row and everything said since the last one. */
    public void window(WindowRow row) {
        write(windows, row.line());
        flush();
    }

    /** The counts of a window or of a part of one, step by step; write them before its row. */
    public void counts(Snapshot window) {
        counts(window, Steps.WHOLE);
    }

    /** The same, where the steps are cut into parts. */
    public void counts(Snapshot window, Steps parts) {
        for (int step : window.steps()) {
            StringBuilder line = new StringBuilder(96);
            line.append(window.index()).append(',').append(parts.name(step));
            Numbers numbers = window.numbers(step);
            Count.OF_STEPS.forEach(count -> line.append(',').append(numbers.count(count)));
            write(counts, line.toString());
        }
    }

    /** The responses of operations, one by one; there is no such file until there are some. */
    public synchronized void operations(long[] nanos) {
        if (nanos.length == 0) {
            return;
        }
        BufferedWriter writer = operations;
        if (writer == null) {
            try {
                writer = part(TrialFolder.OPERATIONS, TrialFolder.OPERATIONS_HEADER + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException("writing to " + path, e);
            }
            operations = writer;
            all.add(writer);
        }
        for (long each : nanos) {
            write(writer, Long.toString(each));
        }
    }

    public void reading(ProbeReading reading) {
        StringBuilder line = new StringBuilder(48);
        CsvFigure.append(line, reading.second()).append(',');
        line.append(Csv.cell(reading.source())).append(',');
        line.append(Csv.cell(reading.metric())).append(',');
        write(probes, CsvFigure.append(line, reading.value()).toString());
    }

    public void event(Event event) {
        StringBuilder line = new StringBuilder(48);
        CsvFigure.append(line, event.second()).append(',');
        write(
                events,
                line.append(Csv.cell(event.name()))
                        .append(',')
                        .append(Csv.cell(event.text()))
                        .toString());
        flush();
    }

    /** Where the histogram log of the windows goes; write to it before the window's row. */
    public PrintStream latency() {
        return latency;
    }

    /** The curve of a latency over one step. */
    public void spectrum(LatencyKind metric, int step, Latency curve) {
        for (Latency.Point point : curve.spectrum()) {
            StringBuilder line = new StringBuilder(48);
            line.append(metric.word()).append('@').append(step).append(',');
            CsvFigure.append(line, point.percentile()).append(',');
            write(spectrum, CsvFigure.append(line, point.millis()).toString());
        }
    }

    /** The load has ended: writes down what is known of it, and hands over where figures can be made of all that. */
    public TrialFolder end(TrialEnd end) {
        flush();
        try {
            synchronized (this) {
                windows.close();
                all.remove(windows);
            }
            addUpLateParts();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to " + path, e);
        }
        RunFolder.put(path.resolve(TrialFolder.END), ResultJson.write(end));
        return TrialFolder.open(path);
    }

    /** The trial is whole: renames everything into place. */
    public void finish(TrialResult result, List<Caveat> caveats) {
        close();
        try {
            addUpLateParts();
            for (String file : TrialFolder.FILES) {
                Path whole = path.resolve(file);
                if (operations != null || !file.equals(TrialFolder.OPERATIONS)) {
                    Files.move(TrialFolder.part(whole), whole, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("finishing " + path, e);
        }
        RunFolder.put(path.resolve(TrialFolder.CAVEATS), ResultJson.write(caveats));
        RunFolder.put(path.resolve(TrialFolder.TRIAL), ResultJson.write(result));
    }

    /** From now on a spreadsheet may add up the rows, or draw one a second. */
    private void addUpLateParts() throws IOException {
        TrialFolder written = TrialFolder.open(path);
        List<WindowRow> rows = written.windows();
        if (rows.size() < written.rows().size()) {
            List<String> lines = new ArrayList<>(List.of(WindowRow.HEADER));
            rows.forEach(row -> lines.add(row.line()));
            Files.write(TrialFolder.part(path.resolve(TrialFolder.WINDOWS)), lines);
        }
    }

    private synchronized void write(BufferedWriter writer, String line) {
        if (closed) {
            throw new IllegalStateException("trial " + path.getFileName() + " is closed; nothing can be added to it");
        }
        try {
            writer.write(line);
            writer.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("writing to " + path, e);
        }
    }

    private synchronized void flush() {
        try {
            flushLatency();
            for (BufferedWriter writer : all) {
                writer.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to " + path, e);
        }
    }

    // A PrintStream keeps its troubles to itself until it is asked, and the reason for good.
    private void flushLatency() throws IOException {
        if (latency.checkError()) {
            throw new IOException("the histogram log cannot be written", latencyFile.reason);
        }
    }

    /** A stream that remembers why it cannot be written. */
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

    /** Leaves an unfinished trial behind unless it was finished. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            windows.close();
            for (BufferedWriter writer : all) {
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
