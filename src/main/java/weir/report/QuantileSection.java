package weir.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import weir.judge.Responses;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.NumberFormat;
import weir.results.value.OverheadResult;

/**
 * The report section with the latencies of two variants by quantile, and their ratio. A second chart shows the faster
 * variant alone, because its line looks flat next to the line of the slower variant.
 */
final class QuantileSection {
    private static final List<Double> PERCENTILES = List.of(0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0);
    private static final int POINTS = 400;
    private static final int MOST = 3;

    private final RunView run;
    private final Map<String, Responses> responses = new LinkedHashMap<>();

    private QuantileSection(RunView run) {
        this.run = run;
        Set<String> wanted = new LinkedHashSet<>();
        run.result().overheads().forEach(overhead -> wanted.addAll(List.of(overhead.a(), overhead.b())));
        for (String variant : wanted) {
            List<Responses> own = Responses.of(run.folder(), variant);
            if (!own.isEmpty()) {
                responses.put(variant, Responses.pooled(own));
            }
        }
    }

    static List<Block> page(RunView run) {
        if (run.result().overheads().isEmpty()) {
            return List.of();
        }
        return new QuantileSection(run).page();
    }

    private List<Block> page() {
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note(
                "Each table has ratios of operation times. With at least four repeats, a ratio has a 95 % interval. The"
                        + " times are exact. Other response figures come from histograms, with errors up to 0.1 %."));
        int number = 0;
        for (List<OverheadResult> own : pairs(run)) {
            OverheadResult first = own.get(0);
            blocks.add(ratios(own).as("t-overhead-" + number, first.pair()));
            Responses a = responses.get(first.a());
            Responses b = responses.get(first.b());
            if (a != null && b != null) {
                blocks.add(Block.charts(List.of(chart("t-quantiles-" + number, first, a, b))));
            }
            number++;
        }
        return blocks;
    }

    private static Collection<List<OverheadResult>> pairs(RunView run) {
        return run.result().overheads().stream()
                .collect(Collectors.groupingBy(OverheadResult::pair, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static Table ratios(List<OverheadResult> own) {
        return Table.of(2, own)
                .column("statistic", OverheadResult::stat)
                .column("how", OverheadResult::label)
                .column(own.get(0).a(), OverheadResult::writtenA)
                .column(own.get(0).b(), OverheadResult::writtenB)
                .column("ratio", OverheadResult::text)
                .published(OverheadResult::published)
                .table();
    }

    private Block chart(String id, OverheadResult of, Responses a, Responses b) {
        String title = "Latency by quantile: " + what(of);
        // The slower variant is drawn first, so that it does not hide the faster one.
        boolean slower = a.millis(50) >= b.millis(50);
        Responses quick = slower ? b : a;
        String quickName = slower ? of.b() : of.a();
        String quickLook = slower ? "c2 solid" : "c1 solid";
        Axis x = Axis.of("quantile, p", new AxisScale.Linear(0, 100));
        Chart lower = new Chart(quickName + " alone", x, Axis.fromZero("ms, " + quickName + " alone"))
                .wide()
                .height(190);
        line(lower, quick, "", quickLook);
        Chart chart = new Chart(title, x, Axis.fromZero("ms"))
                .wide()
                .note(note(of.a(), a) + "; " + note(of.b(), b) + ". Below, " + quickName + " on its own scale.")
                .below(lower);
        line(chart, a, of.a(), "c1 solid");
        line(chart, b, of.b(), "c2 solid");
        return chart.table(Table.of(1, PERCENTILES)
                .column("quantile", percentile -> "p" + percentile.intValue())
                .column(of.a(), percentile -> atLeast(of.a(), percentile) + NumberFormat.millis(a.millis(percentile)))
                .column(of.b(), percentile -> atLeast(of.b(), percentile) + NumberFormat.millis(b.millis(percentile)))
                .column("ratio", percentile -> ratio(of, percentile, a.millis(percentile) / b.millis(percentile)))
                .as(id, title)
                .folded());
    }

    private String atLeast(String variant, double percentile) {
        return run.of(variant).stream()
                        .anyMatch(trial -> trial.result().figures().response().isBound(percentile))
                ? "\u2265 "
                : "";
    }

    private String ratio(OverheadResult of, double percentile, double ratio) {
        String a = atLeast(of.a(), percentile);
        boolean b = !atLeast(of.b(), percentile).isEmpty();
        return b && !a.isEmpty() ? NumberFormat.MISSING : (b ? "\u2264 " : a) + NumberFormat.times(ratio);
    }

    private String note(String variant, Responses all) {
        int trials = run.of(variant).size();
        return variant + ": " + NumberFormat.count(all.count()) + " operations"
                + (trials > 1 ? " of " + trials + " trials, pooled" : "")
                + (all.exact() ? "" : ", from histograms (\u00b1 0.1 %)")
                + (atLeast(variant, 100).isEmpty()
                        ? ""
                        : "; the longest times are lower bounds, because some operations never ended");
    }

    private static void line(Chart chart, Responses all, String name, String look) {
        double[] at = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> 100.0 * i / POINTS)
                .toArray();
        chart.line(name, look, at, DoubleStream.of(at).map(all::millis).toArray());
    }

    private String what(OverheadResult of) {
        Map<String, String> a = run.of(of.a()).get(0).result().settings();
        String workload = a.getOrDefault("load.workload", "");
        boolean atomic = a.keySet().stream().anyMatch(key -> key.startsWith("load.transaction."))
                || !a.getOrDefault("load.transaction", "none").equals("none");
        String kind = !atomic
                ? ""
                : switch (workload) {
                    case "write" -> "atomic write to several topics, ";
                    case "stream" -> "atomic write to a topic and a consumer group, ";
                    default -> "";
                };
        return kind + of.a() + " and " + of.b();
    }

    static List<Block> brief(RunView run) {
        List<String> lines = pairs(run).stream()
                .map(own -> own.get(0).pair() + ": "
                        + own.stream().map(QuantileSection::overhead).collect(Collectors.joining(", ")))
                .toList();
        return List.of(Block.first(lines, MOST, "pair"));
    }

    private static String overhead(OverheadResult one) {
        String label = one.label().isEmpty() ? "" : " " + one.label();
        String published = PublishedRatio.text(one.published());
        String more = published.isEmpty() ? label : label + (label.isEmpty() ? " " : ", ") + published;
        return one.stat() + " " + one.text() + (more.isEmpty() ? "" : " (" + more.strip() + ")");
    }
}
