package weir.report.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.measure.Median;
import weir.report.RunView;
import weir.report.TrialView;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;

/** A row for each variant: its rate and latency, and what its clients and brokers needed for them. */
public final class ProcessSection {
    private static final String GENERATOR = "generator";
    private static final String BROKER = "broker";
    private static final String MEMORY = "memory.rss.mib";
    private static final String HEAP = "heap.used.mib";
    private static final String FILES = "files.open";
    private static final Set<String> METRICS = Set.of(MEMORY, HEAP, FILES);
    private static final String BATCH = "producer.batch-size-avg";

    private ProcessSection() {}

    public static boolean any(RunView run) {
        return run.variants().size() > 1;
    }

    /** True for the readings that these figures are made of. */
    public static boolean isPart(String source, String metric) {
        return METRICS.contains(metric) && (source.startsWith(GENERATOR) || source.startsWith(BROKER));
    }

    /** A figure of a trial, NaN where nobody saw it, and how it is written. */
    private record Column(String name, Function<Seen, Double> figure, Function<Double, String> written) {}

    /** A trial and the readings of its measured phase. */
    private record Seen(TrialView trial, ProbeSeries readings, double from, double to) {
        static Seen of(TrialView trial) {
            return new Seen(
                    trial,
                    ProbeSeries.of(trial.readings()),
                    trial.result().from(),
                    trial.result().to());
        }

        /** All processes of a kind together, in the second in which they had most. */
        double most(String source, String metric) {
            return readings.sums(source, metric, from, to).values().stream()
                    .mapToDouble(Double::doubleValue)
                    .max()
                    .orElse(Double.NaN);
        }
    }

    private static final List<Column> COLUMNS = List.of(
            new Column("carried", seen -> carried(seen.trial), NumberFormat::rate),
            new Column(
                    "response p99",
                    seen -> known(seen.trial.result().figures().response().p99()),
                    NumberFormat::millis),
            new Column(
                    "mean batch",
                    seen -> seen.readings.mean("client", BATCH, seen.from, seen.to),
                    bytes -> NumberFormat.number(bytes) + " B"),
            new Column("generator memory", seen -> seen.most(GENERATOR, MEMORY), ProcessSection::mebibytes),
            new Column("generator heap", seen -> seen.most(GENERATOR, HEAP), ProcessSection::mebibytes),
            new Column("broker memory", seen -> seen.most(BROKER, MEMORY), ProcessSection::mebibytes),
            new Column("broker heap", seen -> seen.most(BROKER, HEAP), ProcessSection::mebibytes),
            new Column("open files", seen -> seen.most(BROKER, FILES), NumberFormat::number),
            new Column("recovery", seen -> recovery(seen.trial), NumberFormat::seconds));

    private static double carried(TrialView trial) {
        Double acked = trial.result().figures().ackedPerSecond();
        return known(acked == null ? trial.result().figures().receivedPerSecond() : acked);
    }

    /** The longest of its disturbances; one that is not over counts with the time until the end. */
    private static double recovery(TrialView trial) {
        return trial.result().disturbances().stream()
                .map(DisturbanceResult::recovery)
                .mapToDouble(ProcessSection::known)
                .filter(seconds -> !Double.isNaN(seconds))
                .max()
                .orElse(Double.NaN);
    }

    private static double known(@Nullable Double figure) {
        return figure == null ? Double.NaN : figure;
    }

    private static String mebibytes(double mebibytes) {
        return NumberFormat.number(mebibytes) + " MiB";
    }

    /** The rows, headed; columns that no variant has are left out. */
    private static List<List<String>> rows(RunView run) {
        List<List<Seen>> seen = run.variants().stream()
                .map(variant -> run.of(variant).stream().map(Seen::of).toList())
                .toList();
        List<Column> shown = COLUMNS.stream()
                .filter(column ->
                        seen.stream().flatMap(List::stream).anyMatch(one -> !Double.isNaN(column.figure.apply(one))))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(Stream.concat(Stream.of("variant"), shown.stream().map(Column::name))
                .toList());
        for (int i = 0; i < seen.size(); i++) {
            List<Seen> trials = seen.get(i);
            rows.add(Stream.concat(
                            Stream.of(run.variants().get(i)), shown.stream().map(column -> cell(column, trials)))
                    .toList());
        }
        return rows;
    }

    /** The median of its trials. */
    private static String cell(Column column, List<Seen> trials) {
        double[] figures = trials.stream()
                .mapToDouble(column.figure::apply)
                .filter(figure -> !Double.isNaN(figure))
                .sorted()
                .toArray();
        return figures.length == 0 ? NumberFormat.MISSING : column.written.apply(Median.of(figures));
    }

    public static Html html(RunView run) {
        List<List<String>> rows = rows(run);
        Table table = new Table(1, rows.get(0));
        rows.subList(1, rows.size()).forEach(table::row);
        return new Html()
                .element(
                        "p",
                        (run.repeats() ? "The median over the trials of a variant. " : "")
                                + "Memory, heap and open files are those of all processes of a"
                                + " kind together, in the second of the measured phase in which they had most.",
                        "class",
                        "note")
                .add(table.html("t-processes", "What each variant needed"));
    }
}
