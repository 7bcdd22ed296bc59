package weir.report;

import weir.measure.LatencyKind;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.report.waterfall.WaterfallSection;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.RateKind;

/** Where the time of a response goes, all latencies, and what a transaction is made of. */
final class LatencyPartsSection {
    private LatencyPartsSection() {}

    static Html html(RunView run) {
        return WaterfallSection.html(run).add(percentiles(run)).add(transactions(run));
    }

    private static Html percentiles(RunView run) {
        Table table =
                new Table(2, "variant", "latency", "p50", "p90", "p99", "p99.9", "p99.99", "max", "mean", "samples");
        for (String variant : run.variants()) {
            Figures f = run.median(variant).result().figures();
            Figures.OF_MESSAGES.forEach(kind -> row(table, variant, kind.word(), f.latency(kind)));
            Figures.OF_OUTCOMES.forEach(kind -> row(table, variant, kind.word(), f.latency(kind)));
            Figures.OF_OPERATIONS.forEach(kind -> row(table, variant, kind.word(), f.latency(kind)));
        }
        return table.html(
                "t-latencies",
                "All latencies over the measured phase, response and late also of what was due and never sent"
                        + run.medianTrial());
    }

    /** Means, because only means add up. */
    private static Html transactions(RunView run) {
        Table table = new Table(
                1, "variant", "begin", "send", "offsets", "commit", "together", "abort", "fetch", "operations/s");
        for (String variant : run.variants()) {
            Figures f = run.median(variant).result().figures();
            if (f.operates() && f.latency(LatencyKind.TRANSACTION).count() > 0) {
                table.row(
                        variant,
                        NumberFormat.millis(f.latency(LatencyKind.BEGIN).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.SEND).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.OFFSETS).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.COMMIT).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.TRANSACTION).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.ABORT).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.FETCH).mean()),
                        NumberFormat.number(f.rates().getOrDefault(RateKind.OPERATIONS, Double.NaN)));
            }
        }
        return table.empty()
                ? new Html()
                : table.html(
                        "t-transactions",
                        "What a transaction is made of, or an operation without one: means. An abort takes the place of a"
                                + " commit, and a stream fetches outside its operations");
    }

    private static void row(Table table, String variant, String name, LatencyResult l) {
        if (l.count() > 0) {
            table.row(
                    variant,
                    name,
                    NumberFormat.latency(l, 50),
                    NumberFormat.latency(l, 90),
                    NumberFormat.latency(l, 99),
                    NumberFormat.latency(l, 99.9),
                    NumberFormat.latency(l, 99.99),
                    NumberFormat.latency(l, 100),
                    NumberFormat.mean(l),
                    NumberFormat.count(l.count()));
        }
    }
}
