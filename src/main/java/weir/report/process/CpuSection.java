package weir.report.process;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import weir.judge.LoadCurve;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The CPU that a record costs each kind of process on its way, and the heap, where there are others than a generator and brokers. */
public final class CpuSection {
    private static final List<String> USUAL = List.of("generator", "broker");

    private CpuSection() {}

    public static boolean any(RunView run) {
        return run.results().stream()
                .anyMatch(trial -> (trial.delivered() && !trial.cpu().isEmpty())
                        || trial.cpu().keySet().stream().anyMatch(kind -> !USUAL.contains(kind)));
    }

    public static Html html(RunView run) {
        Html html = new Html();
        html.element(
                "p",
                "Microseconds of CPU for a record, and bytes of heap where processes tell that, all processes of a kind together,"
                        + " the mean over the trials of a variant in the rising steps that were sustained. Where they share the cores of one machine, ratios of rates are ratios of these sums.",
                "class",
                "note");
        List<String> none = notSustained(run);
        if (!none.isEmpty()) {
            html.element(
                    "p", "Over all steps, as none was sustained: " + NumberFormat.listed(none) + ".", "class", "note");
        }
        SortedSet<String> kinds = kinds(run);
        List<String> columns = new ArrayList<>(List.of("variant", ""));
        columns.addAll(kinds);
        columns.add("all");
        Table table = new Table(2, columns);
        for (String variant : run.variants()) {
            row(table, variant, "CPU", row(run, variant, kinds, TrialResult::cpu, NumberFormat::micros));
            if (run.of(variant).stream()
                    .anyMatch(trial -> !trial.result().allocated().isEmpty())) {
                row(table, variant, "heap", row(run, variant, kinds, TrialResult::allocated, CpuSection::bytes));
            }
        }
        return html.add(table.html("t-cpu", "CPU per record"));
    }

    public static void lines(RunView run, TextLines lines) {
        SortedSet<String> kinds = kinds(run);
        for (String variant : run.variants()) {
            List<String> cells = row(run, variant, kinds, TrialResult::cpu, NumberFormat::micros);
            List<String> parts = new ArrayList<>();
            int column = 0;
            for (String kind : kinds) {
                if (!cells.get(column).equals(NumberFormat.MISSING)) {
                    parts.add(kind + " " + cells.get(column));
                }
                column++;
            }
            String all = notSustained(run).contains(variant) ? " (over all steps: none was sustained)" : "";
            lines.wrap("  ", "CPU per record, " + variant + ": " + String.join(", ", parts) + all);
        }
    }

    /** The variants with a trial that has steps and sustained none of them. */
    private static List<String> notSustained(RunView run) {
        return run.variants().stream()
                .filter(variant -> run.of(variant).stream()
                        .map(trial -> LoadCurve.of(variant, List.of(trial.result())))
                        .anyMatch(curve ->
                                !curve.points().isEmpty() && curve.sustained().isEmpty()))
                .toList();
    }

    private static SortedSet<String> kinds(RunView run) {
        return run.results().stream()
                .flatMap(trial -> trial.cpu().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void row(Table table, String variant, String what, List<String> figures) {
        List<String> cells = new ArrayList<>(List.of(variant, what));
        cells.addAll(figures);
        table.row(cells);
    }

    private static String bytes(double bytes) {
        return NumberFormat.number(Math.rint(bytes)) + " B";
    }

    /** Each kind, and all of them. */
    private static List<String> row(
            RunView run,
            String variant,
            SortedSet<String> kinds,
            Function<TrialResult, SortedMap<String, Double>> costs,
            DoubleFunction<String> written) {
        List<TrialResult> trials = run.results().stream()
                .filter(trial -> trial.variant().equals(variant))
                .toList();
        List<String> cells = new ArrayList<>();
        double sum = 0;
        for (String kind : kinds) {
            double mean = trials.stream()
                    .filter(trial -> costs.apply(trial).containsKey(kind))
                    .mapToDouble(trial -> costs.apply(trial).getOrDefault(kind, 0.0))
                    .average()
                    .orElse(Double.NaN);
            cells.add(Double.isNaN(mean) ? NumberFormat.MISSING : written.apply(mean));
            sum += Double.isNaN(mean) ? 0 : mean;
        }
        cells.add(written.apply(sum));
        return cells;
    }
}
