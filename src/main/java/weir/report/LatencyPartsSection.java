package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.LatencyKind;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.ProbeReading;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.OperationsResult;
import weir.results.value.StepResult;

/** Where the time of a response goes. Parts are of means, because only means add up. */
final class LatencyPartsSection {
    private static final String REQUEST = "request.produce.";
    private static final String MEAN = ".mean.ms";

    private LatencyPartsSection() {}

    /** One step or trial and how long its parts took on average. */
    private record Bar(String name, double late, double backpressure, double blocked, double rest) {
        double total() {
            return late + backpressure + blocked + rest;
        }
    }

    private static final List<Chart.Key> KEYS = List.of(
            new Chart.Key("late: the generator", "c4 block"),
            new Chart.Key("backpressure: behind an earlier blocked call", "c5 block"),
            new Chart.Key("blocked: inside send()", "c2 block"),
            new Chart.Key("the rest of service: client queue, network, brokers", "c1 block"));

    static Html html(RunView run) {
        List<Bar> bars = new ArrayList<>();
        for (String variant : run.variants()) {
            List<StepResult> steps = run.median(variant).result().steps();
            String prefix = run.variants().size() > 1 ? variant + ", " : "";
            for (StepResult step : steps) {
                add(
                        bars,
                        steps.size() == 1 && !prefix.isEmpty() ? variant : prefix + NumberFormat.step(step.label()),
                        step.figures());
            }
        }
        Html html = new Html();
        if (!bars.isEmpty()) {
            html.add(shares(bars));
        }
        return html.add(percentiles(run)).add(transactions(run)).add(brokers(run));
    }

    private static void add(List<Bar> bars, String name, Figures f) {
        double response = mean(f.response());
        double service = mean(f.latency(LatencyKind.SERVICE));
        if (response > 0 && service >= 0) {
            double blocked = Math.min(service, zero(mean(f.latency(LatencyKind.BLOCKED))));
            bars.add(new Bar(
                    name,
                    zero(mean(f.late())),
                    zero(mean(f.latency(LatencyKind.BACKPRESSURE))),
                    blocked,
                    service - blocked));
        }
    }

    private static double mean(LatencyResult latency) {
        Double mean = latency.mean();
        return mean == null ? Double.NaN : mean;
    }

    private static double zero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private static Html shares(List<Bar> bars) {
        List<String> names = bars.stream()
                .map(bar -> bar.name() + " · " + NumberFormat.millis(bar.total()))
                .toList();
        Html drawing = Chart.drawn(width -> bars(bars, names, width), Plot.Width.BROAD, "t-parts");
        Table table = new Table(1, "step", "late", "backpressure", "blocked", "rest of service", "mean response");
        for (Bar bar : bars) {
            table.row(
                    bar.name(),
                    NumberFormat.millis(bar.late()),
                    NumberFormat.millis(bar.backpressure()),
                    NumberFormat.millis(bar.blocked()),
                    NumberFormat.millis(bar.rest()),
                    NumberFormat.millis(bar.total()));
        }
        return Chart.framed(
                "What the mean response is made of", "", KEYS, drawing, table.twin("t-parts", "Means"), true);
    }

    private static Plot bars(List<Bar> bars, List<String> names, Plot.Width width) {
        Plot plot = Plot.rows(
                "Shares of the mean response", new AxisScale.Linear(0, 100), "% of the mean response", names, width);
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double from = 0;
            double[] parts = {bar.late(), bar.backpressure(), bar.blocked(), bar.rest()};
            for (int part = 0; part < parts.length; part++) {
                double to = from + 100 * parts[part] / bar.total();
                plot.bar(from, to, bars.size() - i - 0.5, KEYS.get(part).look(), NumberFormat.millis(parts[part]));
                from = to;
            }
        }
        return plot;
    }

    private static Html percentiles(RunView run) {
        Table table =
                new Table(2, "variant", "latency", "p50", "p90", "p99", "p99.9", "p99.99", "max", "mean", "samples");
        for (String variant : run.variants()) {
            Figures f = run.median(variant).result().figures();
            Figures.OF_MESSAGES.forEach(kind -> row(table, variant, kind.word(), f.latency(kind)));
            Figures.OF_OPERATIONS.forEach(kind -> row(table, variant, kind.word(), f.latency(kind)));
        }
        return table.html("t-latencies", "All latencies over the measured phase (median trial)");
    }

    /** Means, because only means add up. */
    private static Html transactions(RunView run) {
        Table table = new Table(
                1, "variant", "begin", "send", "offsets", "commit", "together", "abort", "fetch", "operations/s");
        for (String variant : run.variants()) {
            Figures f = run.median(variant).result().figures();
            OperationsResult operations = f.operations();
            if (operations != null && f.latency(LatencyKind.TRANSACTION).count() > 0) {
                table.row(
                        variant,
                        NumberFormat.millis(f.latency(LatencyKind.BEGIN).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.SEND).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.OFFSETS).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.COMMIT).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.TRANSACTION).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.ABORT).mean()),
                        NumberFormat.millis(f.latency(LatencyKind.FETCH).mean()),
                        NumberFormat.number(operations.perSecond() == null ? Double.NaN : operations.perSecond()));
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

    /** The times of a produce request as brokers report them: the mean over the seconds and brokers that have one. */
    private static Html brokers(RunView run) {
        Table table =
                new Table(1, "variant", "request queue", "local", "remote", "response queue", "response send", "total");
        for (String variant : run.variants()) {
            Map<String, Double> means = means(run.median(variant));
            if (means.containsKey("total")) {
                List<String> cells = new ArrayList<>(List.of(variant));
                for (String part :
                        List.of("request.queue", "local", "remote", "response.queue", "response.send", "total")) {
                    @Nullable Double mean = means.get(part);
                    cells.add(NumberFormat.millis(mean));
                }
                table.row(cells);
            }
        }
        return table.empty()
                ? new Html()
                : table.html(
                        "t-brokers", "A produce request inside the brokers, mean (one request carries many records)");
    }

    /** True for the metrics of brokers that a table here needs. */
    static boolean isPart(String source, String metric) {
        return metric.startsWith(REQUEST) && metric.endsWith(MEAN) && source.startsWith("broker");
    }

    private static Map<String, Double> means(TrialView trial) {
        Map<String, double[]> sums = new TreeMap<>();
        for (ProbeReading reading : trial.readings()) {
            String metric = reading.metric();
            if (isPart(reading.source(), metric)) {
                String part = metric.substring(REQUEST.length(), metric.length() - MEAN.length());
                double[] sum = sums.computeIfAbsent(part, name -> new double[2]);
                sum[0] += reading.value();
                sum[1]++;
            }
        }
        Map<String, Double> means = new TreeMap<>();
        sums.forEach((part, sum) -> means.put(part, sum[0] / sum[1]));
        return means;
    }
}
