package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import weir.report.chart.AxisScale;
import weir.report.chart.ChartJson;
import weir.report.chart.Downsampling;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.value.Event;
import weir.results.value.NumberFormat;

/**
 * Every trial over time, on one axis and one scale. Drawn without scripts for the median trial of each variant; a script
 * makes the charts live and lets any trial be chosen.
 */
final class TimelineSection {
    private static final int WIDTH = 1080;
    private static final int HEIGHT = 250;
    /** Points of a line in a drawing that cannot be zoomed into. */
    private static final int STILL_POINTS = 420;
    /** Points of a line for the script; all trials together share what the page can carry. */
    private static final int LIVE_POINTS = 1200;

    private static final int ALL_POINTS = 5200;
    private static final int ROWS = 30;
    private static final Set<String> WIDE = Set.of("latency", "rates");

    private final RunView story;
    private final Map<TrialView, TrialClock> clocks = new LinkedHashMap<>();
    private final Map<TrialView, List<TimeChart>> charts = new LinkedHashMap<>();
    /** By id: the chart in the first trial that has it, and its scale over all of them. */
    private final Map<String, TimeChart> kinds = new LinkedHashMap<>();

    private final Map<String, AxisScale> scales = new LinkedHashMap<>();

    TimelineSection(RunView story) {
        this.story = story;
        int cores = cores(story.machine().facts().getOrDefault("cpu.cores", "1"));
        for (TrialView pass : story.passes()) {
            TrialClock clock = new TrialClock(pass);
            clocks.put(pass, clock);
            charts.put(pass, TimeChart.of(clock, cores));
        }
        for (String id : List.of("latency", "rates", "failures", "lag", "open", "cpu", "pauses", "pressure", "disk")) {
            List<TimeChart> same = charts.values().stream()
                    .flatMap(List::stream)
                    .filter(chart -> chart.id().equals(id))
                    .toList();
            if (!same.isEmpty()) {
                kinds.put(id, same.get(0));
                double high =
                        same.stream().mapToDouble(TimeChart::highest).max().orElse(1);
                double low = same.stream().mapToDouble(TimeChart::lowest).min().orElse(0.1);
                scales.put(id, same.get(0).log() ? AxisScale.around(low, high) : AxisScale.fromZero(high));
            }
        }
    }

    private static int cores(String text) {
        return text.matches("\\d{1,4}") ? Integer.parseInt(text) : 1;
    }

    static boolean any(RunView story) {
        return story.passes().stream().anyMatch(pass -> !pass.rows().isEmpty());
    }

    Html html() {
        TrialView first = story.median(story.variants().get(0));
        Html html = new Html();
        html.open("div", "class", "picker", "role", "group", "aria-label", "Trial");
        for (TrialView pass : story.passes().size() > 1 ? story.passes() : List.<TrialView>of()) {
            html.element(
                    "button",
                    pass.label(),
                    "type",
                    "button",
                    "data-trial",
                    String.valueOf(story.passes().indexOf(pass)),
                    "aria-pressed",
                    String.valueOf(pass.equals(first)));
        }
        html.close();
        html.add(leftOut());
        html.open("div", "id", "times", "class", "charts");
        for (TimeChart kind : kinds.values()) {
            html.add(chart(kind, first));
        }
        html.close();
        int number = 0;
        for (String variant : story.variants()) {
            TrialView median = story.median(variant);
            html.add(Heatmap.html(story, median, Objects.requireNonNull(clocks.get(median)), number++));
        }
        html.add(EventSection.html(story));
        for (String variant : story.variants().subList(1, story.variants().size())) {
            html.add(still(story.median(variant)));
        }
        return html.verbatim("script", data(), "type", "application/json", "id", "data");
    }

    /** Says so where a picture cannot have every second. */
    private Html leftOut() {
        int longest =
                clocks.values().stream().mapToInt(TrialClock::seconds).max().orElse(0);
        int still = new Downsampling(0, longest, STILL_POINTS).stretch();
        int live = new Downsampling(0, longest, points()).stretch();
        if (still == 1) {
            return new Html();
        }
        String stretch = live == 1
                ? "Without scripts and on paper, of each " + still + " s"
                : "Of each " + live + " s (" + still + " s without scripts and on paper)";
        return new Html()
                .element(
                        "p",
                        stretch
                                + " the lowest and the highest second are drawn, in the order in which they came: no peak"
                                + " is lost. windows.csv has every second.",
                        "class",
                        "note");
    }

    private int points() {
        return Math.max(200, Math.min(LIVE_POINTS, ALL_POINTS / Math.max(1, charts.size())));
    }

    private Html chart(TimeChart kind, TrialView pass) {
        List<TimeChart> own = Objects.requireNonNull(charts.get(pass)).stream()
                .filter(chart -> chart.id().equals(kind.id()))
                .toList();
        List<String> attributes = new ArrayList<>(
                List.of("class", WIDE.contains(kind.id()) ? "chart wide time" : "chart time", "data-chart", kind.id()));
        if (own.isEmpty()) {
            // Another trial has it; the script shows it there.
            attributes.addAll(List.of("hidden", ""));
        }
        Html html = new Html();
        html.open("figure", attributes.toArray(String[]::new));
        html.open("figcaption")
                .open("h3")
                .text(kind.title() + " ")
                .element("small", Objects.requireNonNull(scales.get(kind.id())).unit(kind.unit()))
                .close();
        if (!kind.note().isEmpty()) {
            html.element("p", kind.note());
        }
        html.close().open("p", "class", "keys");
        for (TimeChart chart : own) {
            for (TimeChart.Line line : chart.lines()) {
                html.open("span")
                        .element("i", "", "class", "key " + line.look())
                        .text(line.name())
                        .close();
            }
        }
        html.close().open("div", "class", "drawing");
        for (TimeChart chart : own) {
            html.open("div", "class", "still").add(drawing(chart, pass)).close();
        }
        html.close();
        int start = Objects.requireNonNull(clocks.get(pass)).first();
        Table table = own.isEmpty() ? new Table(1, "second") : table(own.get(0), start);
        html.add(table.twin("t-" + kind.id(), kind.title() + " of trial " + pass.label() + ", " + kind.unit()));
        return html.close();
    }

    private Html drawing(TimeChart chart, TrialView pass) {
        TrialClock clock = Objects.requireNonNull(clocks.get(pass));
        double end = (double) clock.first() + clock.seconds();
        Plot plot = new Plot(
                chart.title() + " over time, trial " + pass.label(),
                new AxisScale.Linear(clock.first(), end),
                Objects.requireNonNull(scales.get(chart.id())),
                WIDE.contains(chart.id()) ? WIDTH : WIDTH / 2,
                HEIGHT,
                16);
        for (TimeBand band : TimeBand.of(pass, clock)) {
            plot.band(band.from(), band.to(), band.name(), band.look());
        }
        plot.axes("s", chart.unit());
        Downsampling peaks = new Downsampling(clock.first(), clock.seconds(), STILL_POINTS);
        double[] times = peaks.times();
        for (TimeChart.Line line : chart.lines()) {
            plot.line(times, peaks.of(line.values()), line.look(), "");
        }
        for (Event mark : TimeBand.marks(pass)) {
            plot.mark(mark.second(), mark.name());
        }
        return plot.svg("t-" + chart.id());
    }

    /** Stretches of equal length; a latency shows its worst second, anything else the mean of them. */
    private static Table table(TimeChart chart, int first) {
        List<String> columns = new ArrayList<>(List.of("second"));
        chart.lines().forEach(line -> columns.add(line.name()));
        Table table = new Table(1, columns);
        int seconds = chart.lines().get(0).values().length;
        int stretch = Math.max(1, (seconds + ROWS - 1) / ROWS);
        for (int from = 0; from < seconds; from += stretch) {
            int to = Math.min(seconds, from + stretch);
            List<String> cells = new ArrayList<>();
            cells.add(stretch == 1 ? String.valueOf(first + from) : (first + from) + "–" + (first + to));
            for (TimeChart.Line line : chart.lines()) {
                double[] values = Arrays.stream(line.values(), from, to)
                        .filter(value -> !Double.isNaN(value))
                        .toArray();
                double value = values.length == 0
                        ? Double.NaN
                        : chart.worst()
                                ? Arrays.stream(values).max().orElse(0)
                                : Arrays.stream(values).sum() / values.length;
                cells.add(NumberFormat.number(value));
            }
            table.row(cells);
        }
        return table;
    }

    private Html still(TrialView pass) {
        Html html = new Html();
        html.open("figure", "class", "chart wide still");
        html.open("figcaption").element("h3", "Trial " + pass.label()).close();
        for (TimeChart chart : Objects.requireNonNull(charts.get(pass))) {
            if (WIDE.contains(chart.id())) {
                html.open("div", "class", "drawing").add(drawing(chart, pass)).close();
            }
        }
        return html.close();
    }

    /** The same for the script, as JSON. */
    private String data() {
        int points = points();
        ChartJson json = new ChartJson();
        json.object();
        json.name("first")
                .value(story.passes().indexOf(story.median(story.variants().get(0))));
        json.name("charts").object();
        for (TimeChart kind : kinds.values()) {
            AxisScale scale = Objects.requireNonNull(scales.get(kind.id()));
            double low = scale instanceof AxisScale.Log log ? log.low() : 0;
            double high = scale instanceof AxisScale.Log log ? log.high() : ((AxisScale.Linear) scale).high();
            json.name(kind.id()).object();
            json.name("title").value(kind.title()).name("unit").value(kind.unit());
            json.name("log").value(kind.log()).name("worst").value(kind.worst());
            json.name("low").value(low).name("high").value(high).end();
        }
        json.end().name("trials").array();
        for (Map.Entry<TrialView, List<TimeChart>> entry : charts.entrySet()) {
            trial(json, entry.getKey(), entry.getValue(), points);
        }
        return json.end().end().toString();
    }

    private void trial(ChartJson json, TrialView pass, List<TimeChart> own, int points) {
        TrialClock clock = Objects.requireNonNull(clocks.get(pass));
        Downsampling peaks = new Downsampling(clock.first(), clock.seconds(), points);
        json.object().name("label").value(pass.label());
        json.name("x").values(peaks.times());
        json.name("bands").array();
        for (TimeBand band : TimeBand.of(pass, clock)) {
            json.array()
                    .value(band.from())
                    .value(band.to())
                    .value(band.name())
                    .value(band.look())
                    .end();
        }
        json.end().name("marks").array();
        for (Event mark : TimeBand.marks(pass)) {
            json.array().value(mark.second()).value(mark.name()).end();
        }
        json.end().name("charts").object();
        for (TimeChart chart : own) {
            json.name(chart.id()).array();
            for (TimeChart.Line line : chart.lines()) {
                json.object().name("name").value(line.name()).name("look").value(line.look());
                json.name("y").values(peaks.of(line.values())).end();
            }
            json.end();
        }
        json.end().end();
    }
}
