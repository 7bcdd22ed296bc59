package weir.results;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.LineReader;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.plan.Expectation;
import weir.plan.RecordKeys;
import weir.plan.property.Property;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** The files of one trial. A killed trial has no result, but it has all data up to its last window. */
public final class TrialFolder {
    static final String STARTED = "started.json";
    static final String TRIAL = "trial.json";
    static final String CAVEATS = "caveats.json";
    static final String WINDOWS = "windows.csv";
    static final String LATENCY = "latency.hlog";
    static final String COUNTS = "counts.csv";
    static final String CONDITIONS = "conditions.json";
    static final String END = "end.json";
    static final String PROBES = "probes.csv";
    static final String EVENTS = "events.csv";
    static final String SPECTRUM = "spectrum.csv";
    static final String OPERATIONS = "operations.csv";

    static final Map<String, String> HEADERS = Map.of(
            WINDOWS, WindowRow.HEADER,
            COUNTS, "second,step," + Count.OF_STEPS.stream().map(Count::word).collect(Collectors.joining(",")),
            EVENTS, "second,name,text",
            PROBES, "second,source,metric,value",
            OPERATIONS, "nanoseconds",
            SPECTRUM, "latency,percentile,milliseconds");

    private static final int LONGEST = 1 << 20;

    static final List<String> FILES = List.of(WINDOWS, COUNTS, LATENCY, SPECTRUM, OPERATIONS, PROBES, EVENTS);

    private static final List<String> ALL = Stream.of(List.of(TRIAL, CAVEATS), FILES, List.of(STARTED, CONDITIONS, END))
            .flatMap(List::stream)
            .toList();

    private final Path path;
    private final Started started;

    private TrialFolder(Path path, Started started) {
        this.path = path;
        this.started = started;
    }

    public record Started(
            int trial,
            String variant,
            int repeat,
            String startedAt,
            SortedMap<String, String> settings,
            PlannedTrial plan) {
        public Started {
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }
    }

    /** A point of a latency's distribution; {@code latency} is a name such as {@code response@2}. */
    public record Point(String latency, double percentile, double milliseconds) {}

    static TrialFolder open(Path path) {
        RunFiles.ownFolder(path);
        return new TrialFolder(path, ResultJson.read(path.resolve(STARTED), Started.class));
    }

    public Path path() {
        return path;
    }

    /** Returns the files of the trial; the files of features come last. */
    public List<Path> files() {
        Stream<Path> own = ALL.stream()
                .map(path::resolve)
                .map(file -> Files.exists(file) ? file : RunFiles.part(file))
                .filter(Files::exists);
        List<Path> ofFeatures = RunFiles.list(path, file -> file.toString().endsWith(".json")).stream()
                .filter(file -> !ALL.contains(String.valueOf(file.getFileName())))
                .toList();
        return Stream.concat(own, ofFeatures.stream()).toList();
    }

    public Started started() {
        return started;
    }

    public boolean finished() {
        return Files.exists(path.resolve(TRIAL));
    }

    boolean measured() {
        return finished()
                || Stream.of(path.resolve(WINDOWS), RunFiles.part(path.resolve(WINDOWS)))
                        .anyMatch(file -> file.toFile().length() > WindowRow.HEADER.length() + 1L);
    }

    public TrialResult result() {
        return ResultJson.read(path.resolve(TRIAL), TrialResult.class);
    }

    public TrialConditions conditions() {
        Path file = path.resolve(CONDITIONS);
        return measured() || Files.exists(file) ? StoredConditions.read(file) : TrialConditions.NONE;
    }

    /** The facts of the load's end; null for a trial that was killed earlier. */
    public @Nullable TrialEnd end() {
        Path file = path.resolve(END);
        return Files.exists(file) ? ResultJson.read(file, TrialEnd.class) : null;
    }

    public List<Caveat> caveats() {
        Path file = path.resolve(CAVEATS);
        return Files.exists(file) ? List.of(ResultJson.read(file, Caveat[].class)) : List.of();
    }

    public <T> T stored(String file, Class<T> form) {
        return ResultJson.read(path.resolve(file), form);
    }

    public List<WindowRow> windows() {
        return WindowRow.whole(rows(), this);
    }

    List<WindowRow> rows() {
        return lines(WINDOWS, WindowRow::of);
    }

    public List<Event> events() {
        return lines(EVENTS, line -> {
            List<String> cells = cells(line, 3);
            return new Event(Csv.second(cells.get(0)), cells.get(1), cells.get(2));
        });
    }

    /**
     * The response of every measured operation in nanoseconds, in the order in which operations ended. Empty unless
     * operations are recorded individually.
     */
    public long[] operations() {
        LongStream.Builder nanos = LongStream.builder();
        each(OPERATIONS, line -> nanos.add(Csv.count(line)));
        return nanos.build().toArray();
    }

    /** The readings of the wanted metrics. An hour has half a million readings; a report needs a tenth of them. */
    public List<Reading> readings(BiPredicate<String, String> wanted) {
        List<Reading> readings = new ArrayList<>();
        readings(wanted, readings::add);
        return readings;
    }

    public void readings(BiPredicate<String, String> wanted, Consumer<Reading> out) {
        Map<String, Optional<Reading>> names = new HashMap<>();
        each(PROBES, line -> {
            int start = line.indexOf(',') + 1;
            int end = line.lastIndexOf(',');
            if (start == 0 || end < start) {
                throw new IllegalArgumentException("fewer than 4 columns");
            }
            Optional<Reading> like = names.computeIfAbsent(line.substring(start, end), name -> named(name, wanted));
            like.ifPresent(of -> out.accept(new Reading(
                    Csv.second(line.substring(0, start - 1)),
                    of.source(),
                    of.metric(),
                    value(line.substring(end + 1)))));
        });
    }

    private static Optional<Reading> named(String name, BiPredicate<String, String> wanted) {
        List<String> cells = cells(name, 2);
        return wanted.test(cells.get(0), cells.get(1))
                ? Optional.of(new Reading(0, cells.get(0), cells.get(1), 0))
                : Optional.empty();
    }

    /** The points of all latency distributions. For an unfinished trial, they come from its histogram log. */
    public List<Point> spectrum() {
        List<Point> points = lines(SPECTRUM, line -> {
            List<String> cells = cells(line, 3);
            return new Point(cells.get(0), percentile(cells.get(1)), Csv.size(cells.get(2)));
        });
        if (points.isEmpty()) {
            List<Point> rebuilt = new ArrayList<>();
            latencies()
                    .forEach((tag, latency) -> latency.spectrum()
                            .forEach(point -> rebuilt.add(new Point(tag, point.percentile(), point.millis()))));
            return rebuilt;
        }
        return points;
    }

    public SortedMap<Integer, Numbers> counts() {
        SortedMap<Integer, Numbers> steps = new TreeMap<>();
        counts((second, part, counts) ->
                steps.computeIfAbsent(part.step(), first -> new Numbers()).add(counts));
        return steps;
    }

    public interface StepCounts {
        void take(double second, HistogramLog.LatencyTag part, Numbers counts);
    }

    public void counts(StepCounts window) {
        each(COUNTS, line -> {
            List<String> cells = cells(line, 2 + Count.OF_STEPS.size());
            Map<Count, Long> counts = new EnumMap<>(Count.class);
            for (Count count : Count.OF_STEPS) {
                counts.put(count, Csv.count(cells.get(2 + counts.size())));
            }
            window.take(
                    Csv.second(cells.get(0)), HistogramLog.LatencyTag.of("counts@" + cells.get(1)), Numbers.of(counts));
        });
    }

    public Numbers due(double from, double to) {
        Numbers due = new Numbers();
        counts((second, part, counts) -> {
            if (part.due(from, to)) {
                due.add(counts);
            }
        });
        log(reader -> HistogramLog.read(reader, tag -> tag.due(from, to))
                .forEach((tag, latency) -> due.add(Numbers.of(
                        LatencyKind.of(HistogramLog.LatencyTag.of(tag).metric()), latency))));
        return due;
    }

    public SortedMap<Integer, Numbers> numbers() {
        SortedMap<Integer, Numbers> steps = counts();
        latencies().forEach((tag, latency) -> {
            HistogramLog.LatencyTag of = HistogramLog.LatencyTag.of(tag);
            steps.computeIfAbsent(of.step(), first -> new Numbers())
                    .add(Numbers.of(LatencyKind.of(of.metric()), latency));
        });
        return steps;
    }

    public SortedMap<String, Latency> latencies() {
        SortedMap<String, Latency> latencies = new TreeMap<>();
        log(reader -> latencies.putAll(HistogramLog.read(reader)));
        return latencies;
    }

    public void latencies(Predicate<HistogramLog.LatencyTag> tags, BiConsumer<Double, Latency> window) {
        windows((tag, second) -> tags.test(HistogramLog.LatencyTag.of(tag)), window);
    }

    private void windows(HistogramLog.Wanted wanted, BiConsumer<Double, Latency> window) {
        log(reader -> HistogramLog.windows(reader, wanted, window));
    }

    /** The spreads of the messages' latencies in the wanted seconds, from the histogram log. */
    public Map<Double, Map<LatencyKind, WindowRow.Spread>> spreads(DoublePredicate wanted) {
        Map<Double, Map<LatencyKind, WindowRow.Spread>> spreads = new HashMap<>();
        for (LatencyKind kind : Figures.OF_MESSAGES) {
            windows(
                    (tag, second) -> tag.startsWith(kind.word() + "@") && wanted.test(second),
                    (second, latency) -> spreads.computeIfAbsent(second, none -> new EnumMap<>(LatencyKind.class))
                            .put(kind, WindowRow.Spread.of(latency)));
        }
        return spreads;
    }

    /** The wall time of the first window's start, in milliseconds since the epoch; 0 without measurements. */
    public double startMillis() {
        double[] start = {0};
        log(reader -> start[0] = HistogramLog.startMillis(reader));
        return start[0];
    }

    public void buckets(Predicate<HistogramLog.LatencyTag> tags, HistogramLog.Bucket bucket) {
        log(reader ->
                HistogramLog.buckets(reader, (tag, second) -> tags.test(HistogramLog.LatencyTag.of(tag)), bucket));
    }

    private interface LogReading {
        void from(Reader reader) throws IOException;
    }

    private void log(LogReading reading) {
        Path file = file(LATENCY);
        if (Files.exists(file)) {
            try (Reader reader = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
                reading.from(reader);
            } catch (IOException e) {
                throw new UnreadableRunException(file + ": cannot be read: " + e.getMessage());
            }
        }
    }

    private static double percentile(String cell) {
        double percentile = Csv.size(cell);
        if (!(percentile <= 100)) {
            throw new IllegalArgumentException("'" + cell + "' is not a percentile");
        }
        return percentile;
    }

    private static double value(String cell) {
        double value = Csv.of(cell);
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("a reading without a value");
        }
        return value;
    }

    private static List<String> cells(String line, int columns) {
        List<String> cells = Csv.cells(line);
        if (cells.size() != columns) {
            throw new IllegalArgumentException(cells.size() + " columns instead of " + columns);
        }
        return cells;
    }

    private Path file(String name) {
        Path whole = path.resolve(name);
        return RunFiles.own(Files.exists(whole) ? whole : RunFiles.part(whole));
    }

    private <T> List<T> lines(String name, Function<String, T> parse) {
        List<T> values = new ArrayList<>();
        each(name, line -> values.add(parse.apply(line)));
        return values;
    }

    private void each(String name, Consumer<String> take) {
        Path file = file(name);
        if (Files.notExists(file)) {
            return;
        }
        try (LineReader reader =
                new LineReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), LONGEST)) {
            String header = HEADERS.getOrDefault(name, "");
            if (reader.next() && !reader.line().equals(header)) {
                throw new UnreadableRunException(
                        file + " (line 1): the columns are not those of a run, which begin with "
                                + header.substring(0, Math.min(40, header.length())));
            }
            while (reader.next()) {
                try {
                    take.accept(reader.line());
                } catch (IllegalArgumentException e) {
                    throw new UnreadableRunException(
                            file + " (line " + reader.number() + "): was not written by a run: " + e.getMessage());
                }
            }
        } catch (IOException e) {
            throw new UnreadableRunException(file + ": cannot be read: " + e.getMessage());
        }
    }

    /**
     * The stored conditions of a trial. Older files name no hosts, because only this machine produced the load.
     *
     * @param hosts the machines of the trial; empty in older files
     * @param cores the cores of this machine in older files; null in newer files
     * @param brokers the brokers of this machine in older files; newer files list the brokers of each host
     */
    record StoredConditions(
            List<Expectation> limits,
            GeneratorResult generator,
            List<HostFacts> hosts,
            @Nullable Integer cores,
            String filesystem,
            boolean unlimitedWriteback,
            boolean firstOfMany,
            List<Integer> brokers,
            List<String> forwarders,
            List<Property> properties) {

        static TrialConditions read(Path file) {
            StoredConditions stored = ResultJson.read(file, StoredConditions.class);
            try {
                return stored.conditions();
            } catch (IllegalArgumentException e) {
                throw new UnreadableRunException(file + ": was not written by a run: " + e.getMessage());
            }
        }

        private TrialConditions conditions() {
            return new TrialConditions(
                    limits, generator, machines(), filesystem, unlimitedWriteback, firstOfMany, forwarders, properties);
        }

        private List<HostFacts> machines() {
            if (hosts.isEmpty()) {
                return List.of(new HostFacts(
                        HostFacts.HERE, "", cores == null ? 0 : cores, 0, "", "", List.of(), brokers, List.of()));
            }
            List<HostFacts> all = new ArrayList<>(hosts);
            if (!brokers.isEmpty()) {
                all.set(0, RecordKeys.with(all.get(0), Map.of("brokers", brokers)));
            }
            return all;
        }
    }
}
