package weir.feature.trend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import weir.feature.trend.RunTrend.Change;
import weir.feature.trend.RunTrend.Gate;
import weir.feature.trend.RunTrend.Point;
import weir.feature.trend.RunTrend.Series;
import weir.report.Page;
import weir.report.TextLines;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.RunComparison.Difference;
import weir.results.value.NumberFormat;

/** A report of a trend, as text or as a page. For each change of level, it shows what else changed at that time. */
public record TrendReport(RunTrend trend) {
    private static final int LONGEST = 40;
    private static final int MOST_ROWS = 40;

    public record SeriesChange(Series series, Change change) {}

    /** All changes of level, the newest first. */
    public List<SeriesChange> changes() {
        List<SeriesChange> all = new ArrayList<>();
        trend.series().forEach(series -> series.changes().forEach(change -> all.add(new SeriesChange(series, change))));
        all.sort(Comparator.comparingInt((SeriesChange found) -> found.change().at())
                .reversed());
        return all;
    }

    String answer() {
        String over = NumberFormat.count((long) trend.series().size()) + " series over "
                + NumberFormat.count((long) trend.runs().size()) + (trend.runs().size() == 1 ? " run" : " runs");
        Optional<SeriesChange> newest = changes().stream().findFirst();
        String changes = newest.isEmpty()
                ? "No change of level in " + over + "."
                : (changes().size() == 1 ? "1 change" : changes().size() + " changes") + " of level in " + over
                        + "; the newest: " + sentence(newest.get()) + ".";
        return trend.gate() == null ? changes : sentence(trend.gate()) + " " + changes;
    }

    private static String sentence(Gate gate) {
        return switch (gate.outcome()) {
            case OPEN -> "No figure is worse than before.";
            case REGRESSION -> "A figure is worse than before.";
            case BLIND -> "The gate is inconclusive.";
        };
    }

    public String sentence(SeriesChange found) {
        Change change = found.change();
        return found.series().name() + ": " + NumberFormat.gain(change.ratio()) + " " + interval(change)
                + " since "
                + run(change.at()) + ", " + verdict(change);
    }

    private String verdict(Change change) {
        return change.verdict() + (change.undone() ? ", undone" : "");
    }

    public String run(int at) {
        return trend.runs().get(at).run();
    }

    String interval(Change change) {
        return "[" + NumberFormat.gain(change.low()) + ", " + NumberFormat.gain(change.high()) + "]";
    }

    /** Returns the other changes at the same run. */
    public String cause(Change change) {
        List<String> parts = new ArrayList<>();
        change.differences().forEach(one -> parts.add(text(one)));
        change.nearby().forEach(one -> parts.add("nearby, at " + run(change.nearbyAt()) + ": " + text(one)));
        if (!change.machine().isEmpty()) {
            parts.add("the machine: " + NumberFormat.listed(change.machine()));
        }
        return parts.isEmpty() ? "no recorded change" : String.join("; ", parts);
    }

    private static String text(Difference difference) {
        String kind = difference.kind().name().toLowerCase(Locale.ROOT);
        List<String> values = TextLines.apart(difference.values(), LONGEST);
        return (difference.kind() == Difference.Kind.KAFKA ? "Kafka" : kind + " " + difference.name()) + " "
                + values.get(0) + " → " + values.get(1);
    }

    static String detectable(Series series) {
        return series.missing() > 0
                ? "in " + series.missing() + (series.missing() == 1 ? " run" : " runs")
                : NumberFormat.change(series.visible());
    }

    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        trend.leftOut().forEach(line -> notes.add("Excluded: " + line + "."));
        notes.addAll(trend.doubts());
        return notes;
    }

    String text() {
        TextLines lines = new TextLines();
        lines.wrap("", trend.name() + ". " + answer());
        Gate gate = trend.gate();
        if (gate != null) {
            gate.sentences().forEach(why -> lines.wrap("  ! ", why));
            if (!gate.acceptable().isEmpty()) {
                lines.wrap("  ", "to accept the change: --accept " + gate.acceptable());
            }
        }
        lines.add("");
        lines.show(List.of(Table.of(1, trend.series())
                .column("", Series::name)
                .column("runs", series -> String.valueOf(series.points().size()))
                .column(
                        "last run",
                        series -> NumberFormat.figure(
                                series.metric(),
                                series.points().get(series.points().size() - 1).figure()))
                .column("level", series -> NumberFormat.figure(series.metric(), series.level()))
                .column("changes", series -> String.valueOf(series.changes().size()))
                .column("detectable", TrendReport::detectable)
                .table()
                .most(MOST_ROWS)));
        for (SeriesChange found : changes()) {
            lines.add("");
            lines.wrap("  ", sentence(found));
            lines.wrap("    ", "changed there: " + cause(found.change()));
        }
        if (!notes().isEmpty()) {
            lines.add("");
            notes().forEach(note -> lines.wrap("  ! ", note));
        }
        return lines.text();
    }

    String html(String weir) {
        List<Page.Part> parts = new ArrayList<>();
        if (!changes().isEmpty()) {
            parts.add(new Page.Part("changes", "Changes", List.of(changesTable())));
        }
        List<Block> charts = new ArrayList<>();
        for (int i = 0; i < trend.series().size(); i++) {
            if (!trend.series().get(i).points().isEmpty()) {
                charts.add(new TrendChart(trend, this, trend.series().get(i)).block(i + 1));
            }
        }
        parts.add(new Page.Part("series", "Series", charts));
        if (!notes().isEmpty()) {
            parts.add(new Page.Part("caveats", "Caveats", List.of(Block.list(notes()))));
        }
        parts.add(new Page.Part("runs", "Runs", List.of(runs())));
        Gate gate = trend.gate();
        List<Block> head = gate == null
                ? Page.head(trend.name(), answer(), null, List.of())
                : Page.head(trend.name(), answer(), gate.outcome(), gate.sentences());
        return Page.of(
                new Page.Contents(trend.name() + " · trend · Weir", head, parts, "Made by Weir " + weir).explained());
    }

    private Table changesTable() {
        return Table.of(4, changes())
                .column("series", found -> found.series().name())
                .column("since", found -> run(found.change().at()))
                .column("verdict", found -> verdict(found.change()))
                .column("changed there", found -> cause(found.change()))
                .column(
                        "change of level",
                        found -> NumberFormat.gain(found.change().ratio()))
                .column("interval of the change", found -> interval(found.change()))
                .column(
                        "level before",
                        found -> NumberFormat.figure(
                                found.series().metric(), found.change().from()))
                .column(
                        "level",
                        found -> NumberFormat.figure(
                                found.series().metric(), found.change().to()))
                .column("found after", found -> found.change().runs() + " runs")
                .as("t-changes", "Changes of level, the newest first, with the other changes at the same run");
    }

    private Table runs() {
        List<Integer> newestFirst = IntStream.range(0, trend.runs().size())
                .map(at -> trend.runs().size() - 1 - at)
                .boxed()
                .toList();
        Table.Columns<Integer> table = Table.of(4, newestFirst)
                .column("run", this::run)
                .column("state", at -> trend.runs().get(at).state())
                .column("Kafka", at -> trend.runs().get(at).kafka())
                .column(
                        "labels",
                        at -> trend.runs().get(at).labels().entrySet().stream()
                                .map(label -> label.getKey() + "=" + label.getValue())
                                .collect(Collectors.joining(", ")));
        for (Series series : trend.series()) {
            Map<Integer, Double> figures = series.points().stream().collect(Collectors.toMap(Point::at, Point::figure));
            table.column(series.name(), at -> NumberFormat.figure(series.metric(), figures.get(at)));
        }
        return table.as("t-runs", "All runs with their figures, the newest first");
    }
}
