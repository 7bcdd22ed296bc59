package weir.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.LoadCurve;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.report.block.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/**
 * A table with a row for each variant, the same on the page and on a terminal. It has the seconds of disturbances and the
 * expected counts, but no comparisons.
 */
final class VariantTable {
    private static final List<Double> TAIL = List.of(99.0, 99.9, 99.99);

    private final RunView run;
    private final boolean stepped;
    private final Map<String, Function<String, String>> columns = new LinkedHashMap<>();

    private VariantTable(RunView run) {
        this.run = run;
        stepped = run.stepped();
        carried();
        disturbed();
        if (delivers()) {
            tails();
        } else {
            latencies();
        }
        counted();
        columns.put("trials", variant -> String.valueOf(run.of(variant).size()));
    }

    static Table of(RunView run) {
        VariantTable variants = new VariantTable(run);
        Table.Columns<String> table = Table.of(1, run.variants()).column("variant", variant -> variant);
        variants.columns.forEach(table::column);
        return table.table();
    }

    static String caption(RunView run) {
        boolean none =
                run.variants().stream().anyMatch(variant -> run.curve(variant).knee() == null);
        String at = !run.stepped()
                ? ""
                : new VariantTable(run).delivers()
                        ? "; latencies at the slowest of its rising steps"
                        : " at the rate it sustained" + (none ? ", or over the whole trial if none was sustained" : "");
        return "Each variant" + at
                + (run.repeats() ? " (medians over its trials; counts: the worst trial)" : " (one trial)")
                + (run.caughtUp() ? "; e2e excludes the backlog" : "");
    }

    private void carried() {
        if (stepped) {
            columns.put("sustained", variant -> run.curve(variant).sustains());
            columns.put("most achieved", this::most);
            if (run.variants().stream().allMatch(run::stepped)) {
                return;
            }
        }
        boolean reads = run.variants().stream()
                .anyMatch(variant -> Median.of(figures(variant), Figures::ackedPerSecond) == null);
        if (run.results().stream().anyMatch(trial -> trial.figures().ackedPerSecond() != null)) {
            columns.put("acked", variant -> rate(variant, Figures::ackedPerSecond));
        }
        if (reads) {
            columns.put("received", variant -> rate(variant, Figures::receivedPerSecond));
        }
        if (run.results().stream().anyMatch(trial -> trial.figures().operates())) {
            columns.put("operations", variant -> rate(variant, figures -> figures.rate(RateKind.OPERATIONS)));
        } else if (!disturbs()) {
            columns.put(
                    "MiB/s", variant -> NumberFormat.number(Median.of(figures(variant), Figures::mebibytesPerSecond)));
        }
    }

    private boolean disturbs() {
        return run.results().stream().anyMatch(trial -> !trial.disturbances().isEmpty());
    }

    private void disturbed() {
        Set<String> names = new LinkedHashSet<>();
        run.results().forEach(trial -> trial.disturbances().forEach(one -> names.add(one.name())));
        for (String name : names) {
            String of = names.size() == 1 ? "" : name + " ";
            columns.put(
                    "p99 during " + name,
                    variant -> NumberFormat.latency(
                            LatencyResult.median(run.whole(variant), trial -> trial.responseDuring(name)), 99));
            columns.put(
                    of + "gap",
                    variant -> NumberFormat.seconds(Median.of(hits(variant, name), DisturbanceResult::gap)));
            columns.put(of + "recovery", variant -> {
                List<DisturbanceResult> hits = hits(variant, name);
                boolean never = hits.stream().anyMatch(one -> one.recovery() != null && !one.recovered());
                return (never ? "≥ " : "") + NumberFormat.seconds(Median.of(hits, DisturbanceResult::recovery));
            });
        }
        if (!names.isEmpty()
                && run.results().stream()
                        .anyMatch(trial -> trial.figures().lag().max() != null)) {
            columns.put("lag max", variant -> {
                Double lag = Median.of(figures(variant), figures -> {
                    Long most = figures.lag().max();
                    return most == null ? null : Double.valueOf(most);
                });
                Double age =
                        Median.of(figures(variant), figures -> figures.lag().maxSeconds());
                return lag == null
                        ? NumberFormat.MISSING
                        : NumberFormat.count(Math.round(lag))
                                + (age == null ? "" : ", oldest " + NumberFormat.seconds(age));
            });
        }
    }

    static Map<String, String> disturbed(RunView run, String variant) {
        VariantTable table = new VariantTable(run);
        table.columns.clear();
        table.disturbed();
        Map<String, String> cells = new LinkedHashMap<>();
        table.columns.forEach((name, cell) -> cells.put(name, cell.apply(variant)));
        return cells;
    }

    private List<DisturbanceResult> hits(String variant, String name) {
        return run.whole(variant).stream()
                .flatMap(trial -> Stream.ofNullable(trial.disturbance(name)))
                .filter(one -> !one.missed())
                .toList();
    }

    private void latencies() {
        columns.put("response p50", variant -> NumberFormat.latency(at(variant, Figures::response), 50));
        columns.put("p99", variant -> NumberFormat.latency(at(variant, Figures::response), 99));
        if (!disturbs()) {
            columns.put("p99.9", variant -> NumberFormat.latency(at(variant, Figures::response), 99.9));
        }
        if (run.read()) {
            columns.put("e2e p99", variant -> NumberFormat.latency(at(variant, Figures::e2e), 99));
        }
    }

    private boolean delivers() {
        return run.results().stream().allMatch(trial -> trial.delivered() && trial.slowestRising() != null);
    }

    private void tails() {
        columns.put("at", variant -> NumberFormat.rate(slowest(variant).rate()));
        for (double percentile : TAIL) {
            columns.put(
                    percentile == 99 ? "response p99" : Table.percentile(percentile),
                    variant -> NumberFormat.latency(slowest(variant).response(), percentile));
        }
        for (double percentile : TAIL) {
            columns.put(
                    "e2e " + Table.percentile(percentile),
                    variant -> NumberFormat.latency(slowest(variant).latency(Figures::e2e), percentile));
        }
        columns.put("CPU", variant -> NumberFormat.micros(Median.of(run.whole(variant), TrialResult::cpuMicros)));
    }

    private LoadCurve.Point slowest(String variant) {
        return run.curve(variant).rising().get(0);
    }

    private void counted() {
        for (Count count : Count.LEDGER) {
            boolean asked =
                    run.result().expect().stream().anyMatch(one -> one.text().startsWith(count.word() + " "));
            if (count == Count.LOST || count == Count.FAILED || asked) {
                columns.put(count.word(), variant -> NumberFormat.count(worst(figures(variant), count)));
            }
        }
    }

    private LatencyResult at(String variant, Function<Figures, LatencyResult> which) {
        LoadCurve.@Nullable Point knee = stepped ? run.curve(variant).knee() : null;
        return knee == null ? LatencyResult.median(figures(variant), which) : knee.latency(which);
    }

    private String most(String variant) {
        return run.curve(variant).points().stream()
                .map(LoadCurve.Point::achievedPerSecond)
                .max(Comparator.naturalOrder())
                .map(NumberFormat::rate)
                .orElse(NumberFormat.MISSING);
    }

    private String rate(String variant, Function<Figures, @Nullable Double> of) {
        return run.stepped(variant) ? NumberFormat.MISSING : NumberFormat.rate(Median.of(figures(variant), of));
    }

    private List<Figures> figures(String variant) {
        return run.whole(variant).stream().map(TrialResult::figures).toList();
    }

    /** Returns the count of the worst trial; null if the count of any trial is unknown. */
    static @Nullable Long worst(List<Figures> own, Count count) {
        boolean unknown = own.stream().anyMatch(figures -> figures.count(count) == null);
        return unknown ? null : Known.most(own, figures -> figures.count(count));
    }
}
