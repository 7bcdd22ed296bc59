package weir.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.measure.ProbeMetric.MetricChart;
import weir.report.block.Axis;
import weir.report.block.AxisScale;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.ChartJson;
import weir.report.block.Downsampling;
import weir.report.block.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.results.value.NumberFormat;

/**
 * The section with charts of the trials over time. All trials have the same axes. Without scripts, the charts show the
 * median trial of each variant. With scripts, the user can choose any trial.
 */
public final class TimelineSection {
    private static final int STILL_POINTS = 420;
    private static final int LIVE_POINTS = 1200;
    private static final int ALL_POINTS = 5200;
    private static final int ROWS = 30;

    private final RunView run;
    private final List<Timeline> timelines;
    private final List<Kind> kinds = new ArrayList<>();

    private record Timeline(TrialView trial, TrialClock clock, List<TimeChart> charts) {}

    private record Kind(int place, TimeChart chart, Axis axis) {
        String id() {
            return TimeChart.id(place);
        }

        List<TimeChart.Line> lines(Timeline timeline) {
            return timeline.charts().get(place).lines();
        }
    }

    private TimelineSection(RunView run) {
        this.run = run;
        timelines = run.trials().stream()
                .map(trial -> {
                    TrialClock clock = new TrialClock(trial);
                    return new Timeline(
                            trial, clock, TimeChart.of(clock, run.folder().drawn()));
                })
                .toList();
        List<TimeChart> charts = timelines.get(0).charts();
        for (int place = 0; place < charts.size(); place++) {
            TimeChart chart = charts.get(place);
            String unit = chart.frame().unit();
            Kind kind = new Kind(place, chart, chart.log() ? Axis.log(unit) : Axis.fromZero(unit));
            List<TimeChart.Line> all = timelines.stream()
                    .flatMap(timeline -> kind.lines(timeline).stream())
                    .toList();
            if (!all.isEmpty()) {
                all.forEach(line -> kind.axis.cover(line.values()));
                kinds.add(kind);
            }
        }
    }

    static List<Block> page(RunView run) {
        return run.trials().stream().allMatch(trial -> trial.rows().isEmpty())
                ? List.of()
                : new TimelineSection(run).page();
    }

    private Timeline median(String variant) {
        return timelines.get(run.trials().indexOf(run.median(variant)));
    }

    private List<Block> page() {
        List<String> variants = run.variants();
        Timeline first = median(variants.get(0));
        List<Block> blocks = new ArrayList<>();
        blocks.add(new Block.Live(
                timelines.stream().map(timeline -> timeline.trial().label()).toList(),
                timelines.indexOf(first),
                data(first)));
        blocks.addAll(leftOut());
        if (timelines.stream()
                .flatMap(timeline -> timeline.charts().stream())
                .flatMap(chart -> chart.lines().stream())
                .anyMatch(line -> gap(line.values()))) {
            blocks.add(Block.note(
                    "A second without a figure is a gap in a line, and has the mark \u2013 in a table. In such a"
                            + " second, no record was acked, the process did not run, or the sample was more than half"
                            + " a second late. After a late sample, the next figure covers both seconds."));
        }
        blocks.add(Block.charts(kinds.stream().map(kind -> chart(kind, first)).toList()));
        for (int number = 0; number < variants.size(); number++) {
            Timeline median = median(variants.get(number));
            blocks.addAll(Heatmap.of(median.trial(), median.clock(), number));
        }
        blocks.addAll(TrialTables.events(run));
        variants.stream().skip(1).forEach(variant -> blocks.add(still(median(variant))));
        return blocks;
    }

    private List<Block> leftOut() {
        int longest = timelines.stream()
                .mapToInt(timeline -> timeline.clock().seconds())
                .max()
                .orElse(0);
        int still = new Downsampling(0, longest, STILL_POINTS).stretch();
        int live = new Downsampling(0, longest, points()).stretch();
        String stretch = live == 1
                ? "On paper or without scripts, for each " + still + " s"
                : "For each " + live + " s (on paper or without scripts, for each " + still + " s)";
        return still == 1
                ? List.of()
                : List.of(Block.note(stretch
                        + " the chart shows only the seconds with the lowest and the highest value, so every peak is"
                        + " visible. windows.csv has every second."));
    }

    private static boolean gap(double[] values) {
        int[] known = IntStream.range(0, values.length)
                .filter(at -> !Double.isNaN(values[at]))
                .toArray();
        int span = known.length == 0 ? 0 : known[known.length - 1] - known[0] + 1;
        return span > known.length && span < 2 * known.length;
    }

    private int points() {
        return Math.max(200, Math.min(LIVE_POINTS, ALL_POINTS / timelines.size()));
    }

    private Chart chart(Kind kind, Timeline timeline) {
        TimeChart own = timeline.charts().get(kind.place);
        MetricChart frame = own.frame();
        TrialView trial = timeline.trial();
        TrialClock clock = timeline.clock();
        String name = frame.title() + " of trial " + trial.label() + ", " + frame.unit();
        Chart chart = (own.lines().isEmpty()
                        ? new Chart(frame.title(), Axis.fromZero("s"), kind.axis)
                        : overTime(frame.title(), trial, clock, clock.first(), clock.end(), kind.axis))
                .height(250)
                .look("time")
                .live(kind.id(), kind.axis.label())
                .note(frame.note())
                .table(table(own, clock.first()).as("t-" + kind.id(), name).folded());
        Downsampling peaks = new Downsampling(clock.first(), clock.seconds(), STILL_POINTS);
        own.lines().forEach(line -> chart.line(line.name(), line.look(), peaks.times(), peaks.of(line.values())));
        return kind.chart.wide() ? chart.wide() : chart;
    }

    /** Returns a chart over the seconds of a trial, with its phases, steps, disturbances and events. */
    public static Chart overTime(String title, TrialView trial, TrialClock clock, double from, double to, Axis y) {
        Chart chart = new Chart(title, Axis.of("s", new AxisScale.Linear(from, to)), y).height(250);
        TimeBand.of(trial, clock).forEach(band -> chart.band(band.from(), band.to(), band.name(), band.look()));
        TimeBand.marks(trial).stream()
                .filter(mark -> mark.second() >= from && mark.second() <= to)
                .forEach(mark -> chart.mark(mark.second(), mark.name()));
        return chart;
    }

    private static Table table(TimeChart chart, int first) {
        List<String> columns = new ArrayList<>(List.of("second"));
        chart.lines().forEach(line -> columns.add(line.name()));
        Table table = new Table(1, columns);
        int seconds = chart.lines().isEmpty() ? 0 : chart.lines().get(0).values().length;
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
                        : chart.frame().peaks()
                                ? Arrays.stream(values).max().orElse(0)
                                : Arrays.stream(values).sum() / values.length;
                cells.add(NumberFormat.number(value));
            }
            table.row(cells);
        }
        return table;
    }

    private Chart still(Timeline timeline) {
        Chart all = new Chart("Trial " + timeline.trial().label(), Axis.fromZero("s"), Axis.fromZero(""))
                .wide()
                .look("still");
        for (Kind kind : kinds) {
            if (kind.chart.wide() && !kind.lines(timeline).isEmpty()) {
                all.below(chart(kind, timeline)).describedBy("t-" + kind.id());
            }
        }
        return all;
    }

    private String data(Timeline first) {
        ChartJson json = new ChartJson();
        json.object();
        json.name("first").value(timelines.indexOf(first));
        json.name("charts").object();
        for (Kind kind : kinds) {
            MetricChart frame = kind.chart.frame();
            json.name(kind.id()).object();
            json.name("title").value(frame.title()).name("unit").value(frame.unit());
            json.name("log").value(kind.chart.log()).name("worst").value(frame.peaks());
            json.name("low").value(kind.axis.scale().low());
            json.name("high").value(kind.axis.scale().high()).end();
        }
        json.end().name("trials").array();
        timelines.forEach(timeline -> trial(json, timeline));
        return json.end().end().toString();
    }

    private void trial(ChartJson json, Timeline timeline) {
        TrialClock clock = timeline.clock();
        Downsampling peaks = new Downsampling(clock.first(), clock.seconds(), points());
        json.object().name("label").value(timeline.trial().label());
        json.name("x").times(peaks.times());
        json.name("bands").array();
        for (TimeBand band : TimeBand.of(timeline.trial(), clock)) {
            json.array()
                    .time(band.from())
                    .time(band.to())
                    .value(band.name())
                    .value(band.look())
                    .end();
        }
        json.end().name("marks").array();
        for (Event mark : TimeBand.marks(timeline.trial())) {
            json.array().time(mark.second()).value(mark.name()).end();
        }
        json.end().name("charts").object();
        for (Kind kind : kinds) {
            List<TimeChart.Line> lines = kind.lines(timeline);
            if (!lines.isEmpty()) {
                json.name(kind.id()).array();
                for (TimeChart.Line line : lines) {
                    json.object().name("name").value(line.name()).name("look").value(line.look());
                    json.name("y").values(peaks.of(line.values())).end();
                }
                json.end();
            }
        }
        json.end().end();
    }

    record TimeBand(double from, double to, String name, String look) {
        static final String MEASURE = "measure";
        private static final String DISTURBED = "disturbed";

        private static final int MARKS = 60;

        public static List<TimeBand> of(TrialView trial, TrialClock clock) {
            List<Event> events = trial.events().stream()
                    .filter(event -> isStretch(event))
                    .sorted(Comparator.comparingDouble(Event::second))
                    .toList();
            boolean steps = events.stream().anyMatch(event -> event.name().equals(Event.STEP));
            List<TimeBand> bands = new ArrayList<>();
            @Nullable Event open = null;
            for (Event event : events) {
                close(bands, open, event.second(), steps);
                open = event;
            }
            double end = clock.end();
            close(bands, open, end, steps);
            for (DisturbanceResult one : trial.result().disturbances()) {
                Double over = one.to();
                bands.add(new TimeBand(one.from(), over == null ? end : over, one.name(), DISTURBED));
            }
            return bands.stream()
                    .filter(band -> band.to() > clock.first())
                    .map(band ->
                            new TimeBand(Math.max(clock.first(), band.from()), band.to(), band.name(), band.look()))
                    .toList();
        }

        private static boolean isStretch(Event event) {
            return event.name().equals(Event.PHASE)
                    || event.name().equals(Event.STEP)
                    || event.name().equals(Event.REST);
        }

        // The measured phase is drawn only if it has no steps.
        private static void close(List<TimeBand> bands, @Nullable Event open, double end, boolean steps) {
            if (open == null || end <= open.second()) {
                return;
            }
            boolean step = open.name().equals(Event.STEP);
            if (step) {
                long before = bands.stream()
                        .filter(band -> band.look().startsWith("step"))
                        .count();
                bands.add(new TimeBand(
                        open.second(), end, NumberFormat.step(open.text()), before % 2 == 0 ? "step" : "step even"));
            } else if (!open.text().equals(MEASURE) || !steps) {
                bands.add(new TimeBand(
                        open.second(), end, open.text(), open.text().equals(MEASURE) ? "step" : "phase"));
            }
        }

        /**
         * Returns the events to mark in charts: single moments, and the start of each disturbance with its name. Pauses
         * between steps are omitted.
         */
        public static List<Event> marks(TrialView trial) {
            return trial.events().stream()
                    .filter(event -> !isStretch(event)
                            && !event.name().equals(Event.FLUSH)
                            && !event.name().equals(Event.COLLECT)
                            && !event.name().equals(Event.DISTURBANCE_OVER))
                    .map(event -> event.name().equals(Event.DISTURBANCE)
                            ? new Event(event.second(), event.text().split(":", 2)[0], event.text())
                            : event)
                    .limit(MARKS)
                    .toList();
        }
    }
}
