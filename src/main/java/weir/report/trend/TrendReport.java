package weir.report.trend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weir.report.GateHeader;
import weir.report.Page;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.history.RunTrend;
import weir.results.history.RunTrend.Change;
import weir.results.history.RunTrend.Gate;
import weir.results.history.RunTrend.Point;
import weir.results.history.RunTrend.Run;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/** A trend, for a terminal and as a page: what changed, since when, and what else changed there. */
public final class TrendReport {
    private final RunTrend trend;
    private final TrendText text;

    private TrendReport(RunTrend trend) {
        this.trend = trend;
        text = new TrendText(trend);
    }

    /** The changes in a sentence, and what the gate says. */
    public static String answer(RunTrend trend) {
        return new TrendText(trend).answer();
    }

    public static String text(RunTrend trend) {
        return new TrendText(trend).text();
    }

    public static String html(RunTrend trend, String weir) {
        return new TrendReport(trend).page(weir);
    }

    private String page(String weir) {
        List<Page.Part> parts = new ArrayList<>();
        if (trend.series().stream().anyMatch(series -> !series.changes().isEmpty())) {
            parts.add(new Page.Part("changes", "Changes", changes()));
        }
        Html charts = new Html();
        for (int i = 0; i < trend.series().size(); i++) {
            if (!trend.series().get(i).points().isEmpty()) {
                charts.add(new TrendChart(trend, trend.series().get(i)).html(i + 1));
            }
        }
        parts.add(new Page.Part("series", "Series", charts));
        List<String> notes = text.notes();
        if (!notes.isEmpty()) {
            Html list = new Html().open("ul");
            notes.forEach(note -> list.element("li", note));
            parts.add(new Page.Part("caveats", "Caveats", list.close()));
        }
        parts.add(new Page.Part("runs", "Runs", runs()));
        return Page.of(trend.name() + " · trend · Weir", header(), parts, "Made by Weir " + weir);
    }

    private Html header() {
        Gate gate = trend.gate();
        return gate == null
                ? GateHeader.of(trend.name(), text.answer(), null, List.of())
                : GateHeader.of(trend.name(), text.answer(), gate.outcome(), gate.sentences());
    }

    private Html changes() {
        Table table = new Table(
                4,
                "series",
                "since",
                "verdict",
                "changed there",
                "change of level",
                "interval of the change",
                "level before",
                "level",
                "found after");
        for (TrendText.Told told : text.changes()) {
            Change change = told.change();
            String metric = told.series().metric();
            table.row(
                    told.series().name(),
                    text.run(change.at()),
                    text.verdict(change),
                    text.cause(change),
                    NumberFormat.gain(change.ratio()),
                    text.interval(change),
                    NumberFormat.figure(metric, change.from()),
                    NumberFormat.figure(metric, change.to()),
                    change.runs() + " runs");
        }
        return table.html("t-changes", "Changes of level, the newest first, and what else changed there");
    }

    private Html runs() {
        List<String> columns = new ArrayList<>(List.of("run", "state", "Kafka", "labels"));
        trend.series().forEach(series -> columns.add(series.name()));
        Table table = new Table(4, columns);
        List<Map<Integer, Double>> figures = new ArrayList<>();
        for (Series series : trend.series()) {
            Map<Integer, Double> own = new HashMap<>();
            for (Point point : series.points()) {
                own.put(point.at(), point.figure());
            }
            figures.add(own);
        }
        for (int at = trend.runs().size() - 1; at >= 0; at--) {
            Run run = trend.runs().get(at);
            List<String> row = new ArrayList<>(List.of(run.run(), run.state(), run.kafka(), labels(run)));
            for (int i = 0; i < figures.size(); i++) {
                row.add(NumberFormat.figure(
                        trend.series().get(i).metric(), figures.get(i).get(at)));
            }
            table.row(row);
        }
        return table.html("t-runs", "Every run and its figures, the newest first");
    }

    private static String labels(Run run) {
        return String.join(
                ", ",
                run.labels().entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .toList());
    }
}
