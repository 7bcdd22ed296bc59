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
import weir.results.value.LatencyResult;
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

    /** The figure of the trials of a variant, {@link NumberFormat#MISSING} where nobody saw it. */
    private record Column(String name, Function<List<Seen>, String> cell) {
        /** The median over the trials of a figure that is NaN where nobody saw it. */
        static Column of(String name, Function<Seen, Double> figure, Function<Double, String> written) {
            return new Column(name, trials -> {
                double[] figures = trials.stream()
                        .mapToDouble(figure::apply)
                        .filter(known -> !Double.isNaN(known))
                        .sorted()
                        .toArray();
                return figures.length == 0 ? NumberFormat.MISSING : written.apply(Median.of(figures));
            });
        }
    }

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
            Column.of("carried", seen -> carried(seen.trial), NumberFormat::rate),
            new Column("response p99", ProcessSection::response),
            Column.of(
                    "mean batch",
                    seen -> seen.readings.mean("client", BATCH, seen.from, seen.to),
                    bytes -> NumberFormat.number(bytes) + " B"),
            Column.of("generator memory", seen -> seen.most(GENERATOR, MEMORY), ProcessSection::mebibytes),
            Column.of("generator heap", seen -> seen.most(GENERATOR, HEAP), ProcessSection::mebibytes),
            Column.of("broker memory", seen -> seen.most(BROKER, MEMORY), ProcessSection::mebibytes),
            Column.of("broker heap", seen -> seen.most(BROKER, HEAP), ProcessSection::mebibytes),
            Column.of("open files", seen -> seen.most(BROKER, FILES), NumberFormat::number),
            Column.of("recovery", seen -> recovery(seen.trial), NumberFormat::seconds));

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

    private static String response(List<Seen> trials) {
        return NumberFormat.latency(
                LatencyResult.median(trials.stream()
                        .map(seen -> seen.trial.result().figures().response())
                        .toList()),
                99);
    }

    private static String mebibytes(double mebibytes) {
        return NumberFormat.number(mebibytes) + " MiB";
    }

    /** The rows, headed; columns that no variant has are left out. */
    private static List<List<String>> rows(RunView run) {
        List<List<Seen>> seen = run.variants().stream()
                .map(variant -> run.of(variant).stream().map(Seen::of).toList())
                .toList();
        List<List<String>> rows = new ArrayList<>();
        rows.add(new ArrayList<>(List.of("variant")));
        run.variants().forEach(variant -> rows.add(new ArrayList<>(List.of(variant))));
        for (Column column : COLUMNS) {
            List<String> cells = seen.stream().map(column.cell).toList();
            if (cells.stream().anyMatch(cell -> !cell.equals(NumberFormat.MISSING))) {
                rows.get(0).add(column.name);
                for (int i = 0; i < cells.size(); i++) {
                    rows.get(i + 1).add(cells.get(i));
                }
            }
        }
        return rows;
    }

    /** A sentence about the columns that are shown and add up processes; empty without any. */
    private static String together(List<String> shown) {
        List<String> summed = Stream.of("memory", "heap", "open files")
                .filter(what -> shown.stream().anyMatch(column -> column.endsWith(what)))
                .toList();
        return summed.isEmpty()
                ? ""
                : "Of " + NumberFormat.listed(summed)
                        + " the table has the most that all processes of a kind had together in"
                        + " one second of the measured phase.";
    }

    public static Html html(RunView run) {
        List<List<String>> rows = rows(run);
        Table table = new Table(1, rows.get(0));
        rows.subList(1, rows.size()).forEach(table::row);
        return new Html()
                .element(
                        "p",
                        "Rates and latencies are of the whole measured phase. "
                                + (run.repeats() ? "The median over the trials of a variant. " : "")
                                + together(rows.get(0)),
                        "class",
                        "note")
                .add(table.html("t-processes", "What each variant needed"));
    }
}
