package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import weir.measure.LatencyKind;
import weir.measure.ProbeMetric;
import weir.measure.ProbeMetric.MetricChart;
import weir.measure.Reading;
import weir.report.block.ChartJson;
import weir.results.WindowRow;

/** A chart of a trial's figures by second. Its {@code frame} (title, unit, explanation) is the same in every trial. */
public record TimeChart(MetricChart frame, boolean log, boolean wide, List<Line> lines) {
    private static final Map<String, List<String>> COLOURS = Map.of(
            "host", List.of("c8"),
            "generator", List.of("c4"),
            "conductor", List.of("c5"),
            "broker", List.of("c1", "c6", "c3", "c7"));

    private static final List<String> OTHER = List.of("c2");
    private static final List<String> NAMED = List.of("c1", "c3", "c5", "c2", "c6", "c4", "c7", "c8");
    private static final List<String> STROKES = List.of("solid", "dashed", "dotted");
    private static final double[] NONE = {};
    private static final int MOST_OF_A_KIND = 8;

    public TimeChart {
        // A line of zeros stays, because "no pressure" is an answer. A line without values is omitted.
        lines = lines.stream()
                .filter(line -> !Arrays.stream(line.values()).allMatch(Double::isNaN))
                .toList();
    }

    @SuppressWarnings("ArrayRecordComponent")
    public record Line(String name, String look, double[] values) {}

    /** Returns all charts, even without figures, so that each chart has the same position in every trial. */
    static List<TimeChart> of(TrialClock clock, List<ProbeMetric> metrics) {
        List<TimeChart> charts = new ArrayList<>();
        charts.add(new TimeChart(
                new MetricChart(
                        "Latency",
                        "ms",
                        "Response is acked − due, e2e is received − due. A second counts the records that were"
                                + " acked, received or given up in it, even if they were due earlier, in the"
                                + " warm-up or as a backlog. Latencies of steps and disturbances count records by"
                                + " their due time.",
                        true),
                true,
                true,
                List.of(
                        latency(
                                clock,
                                "response p50",
                                "c6 solid",
                                row -> row.response().p50()),
                        latency(
                                clock,
                                "response p99",
                                "c1 solid",
                                row -> row.response().p99()),
                        latency(
                                clock,
                                "response max",
                                "c2 solid",
                                row -> row.response().max()),
                        latency(clock, "e2e p99", "c3 dashed", row -> row.e2e().p99()),
                        latency(clock, "late p99 (generator)", "c4 dotted", TimeChart::late))));
        charts.add(new TimeChart(
                new MetricChart(
                        "Rates",
                        "records/s",
                        "Figures of whole seconds, also of the seconds in which the load began or ended. But acked/s of"
                                + " a step counts only the time of the step.",
                        false),
                false,
                true,
                List.of(
                        new Line("offered", "c8 dashed", clock.rates(WindowRow::due)),
                        new Line("sent", "c4 dotted", clock.rates(WindowRow::sent)),
                        new Line("acked", "c1 solid", clock.rates(WindowRow::acked)),
                        positive("received", "c3 dashed", clock.rates(WindowRow::received)))));
        charts.add(plain(
                new MetricChart("Failures", "records/s", "", false),
                positive("failed", "c2 solid", clock.rates(WindowRow::failed))));
        charts.add(plain(
                new MetricChart(
                        "Lag",
                        "records",
                        "Records written and not yet read, sampled within half a second after each second. Events with"
                                + " unknown acknowledgement or receipt are included.",
                        true),
                positive("lag", "c4 solid", clock.windows(WindowRow::lag))));
        charts.add(plain(
                new MetricChart(
                        "Behind open transactions",
                        "records",
                        "The number of records between the last stable offset and the end of the log. Readers of"
                                + " committed records must wait until their transactions end.",
                        false),
                positive("open", "c4 solid", clock.readings("open.records").getOrDefault("transactions", NONE))));
        Map<MetricChart, List<ProbeMetric>> declared = new LinkedHashMap<>();
        metrics.forEach(metric -> declared.computeIfAbsent(metric.chart(), chart -> new ArrayList<>())
                .add(metric));
        declared.forEach((chart, own) -> charts.add(new TimeChart(chart, false, false, lines(clock, own))));
        return charts;
    }

    static String id(int place) {
        return "time-" + place;
    }

    /**
     * One second of a trial in all time charts, for the script of a page with the earlier seconds.
     *
     * @param number of the trial, and {@code trial} its label
     */
    public static String second(
            int number, String trial, WindowRow row, List<Reading> readings, List<ProbeMetric> drawn) {
        List<TimeChart> charts = of(new TrialClock(List.of(row), readings), drawn);
        ChartJson json = new ChartJson().object();
        json.name("number").value(number).name("trial").value(trial);
        json.name("x").value((int) row.second()).name("charts").object();
        for (int place = 0; place < charts.size(); place++) {
            List<Line> lines = charts.get(place).lines();
            if (!lines.isEmpty()) {
                json.name(id(place)).array();
                for (Line line : lines) {
                    json.array()
                            .value(line.name())
                            .value(line.look())
                            .value(line.values()[0])
                            .end();
                }
                json.end();
            }
        }
        return json.end().end().toString();
    }

    private static TimeChart plain(MetricChart frame, Line line) {
        return new TimeChart(frame, false, false, List.of(line));
    }

    private static Line latency(TrialClock clock, String name, String look, ToDoubleFunction<WindowRow> millis) {
        return new Line(name, look, clock.windows(millis));
    }

    private static double late(WindowRow row) {
        double late = row.latency(LatencyKind.LATE).p99();
        return late > 0 ? late : Double.NaN;
    }

    private static List<Line> lines(TrialClock clock, List<ProbeMetric> metrics) {
        Map<String, SortedMap<String, double[]>> byName = new TreeMap<>();
        for (ProbeMetric metric : metrics) {
            clock.readings(metric.name())
                    .forEach((source, values) -> byName.computeIfAbsent(metric.line(), line -> new TreeMap<>())
                            .merge(source, values, TrialClock::max));
        }
        List<Line> lines = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        byName.forEach((line, sources) -> few(sources).forEach((source, values) -> {
            String kind = source.replaceFirst("[-,].*", "");
            // The process of another host has the host's name.
            boolean ofHost = source.equals("host");
            String name = line.isEmpty() ? source : ofHost ? line : source + " " + line;
            boolean named = ofHost && !line.isEmpty();
            List<String> colours = named ? NAMED : COLOURS.getOrDefault(kind, OTHER);
            int number = seen.merge(named ? "" : kind, 1, Integer::sum) - 1;
            String stroke = STROKES.get(number / colours.size() % STROKES.size());
            lines.add(new Line(name, colours.get(number % colours.size()) + " " + stroke, values));
        }));
        return lines;
    }

    private static SortedMap<String, double[]> few(SortedMap<String, double[]> sources) {
        Map<String, List<String>> kinds = sources.keySet().stream()
                .filter(source -> source.indexOf('-') > 0)
                .collect(Collectors.groupingBy(source -> source.substring(0, source.indexOf('-'))));
        SortedMap<String, double[]> few = new TreeMap<>(sources);
        kinds.forEach((kind, all) -> {
            if (all.size() > MOST_OF_A_KIND) {
                double[] highest = all.stream()
                        .map(source -> sources.getOrDefault(source, NONE))
                        .reduce(TrialClock::max)
                        .orElse(NONE);
                few.keySet().removeAll(all);
                few.put(kind + ", highest of " + all.size(), highest);
            }
        });
        return few;
    }

    private static Line positive(String name, String look, double[] values) {
        return new Line(name, look, TrialClock.anything(values) ? values : NONE);
    }
}
