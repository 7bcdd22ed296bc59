package weir.report.trend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import weir.report.TextLines;
import weir.results.RunComparison.Difference;
import weir.results.history.RunTrend;
import weir.results.history.RunTrend.Change;
import weir.results.history.RunTrend.Gate;
import weir.results.history.RunTrend.Series;
import weir.results.value.NumberFormat;

/** The sentences of a trend. */
final class TrendText {
    private static final int LONGEST = 40;
    private static final int MOST_ROWS = 40;

    private final RunTrend trend;

    TrendText(RunTrend trend) {
        this.trend = trend;
    }

    /** A change of a series. */
    record Told(Series series, Change change) {}

    /** All changes, the newest first. */
    List<Told> changes() {
        List<Told> all = new ArrayList<>();
        trend.series().forEach(series -> series.changes().forEach(change -> all.add(new Told(series, change))));
        all.sort(Comparator.comparingInt((Told told) -> told.change().at()).reversed());
        return all;
    }

    /** The first thing to know. */
    String answer() {
        String over = NumberFormat.count((long) trend.series().size()) + " series over "
                + NumberFormat.count((long) trend.runs().size()) + (trend.runs().size() == 1 ? " run" : " runs");
        Optional<Told> newest = changes().stream().findFirst();
        String changes = newest.isEmpty()
                ? "No change of level in " + over + "."
                : (changes().size() == 1 ? "1 change" : changes().size() + " changes") + " of level in " + over
                        + "; the newest: " + sentence(newest.get()) + ".";
        return trend.gate() == null ? changes : sentence(trend.gate()) + " " + changes;
    }

    static String sentence(Gate gate) {
        return switch (gate.outcome()) {
            case OPEN -> "Nothing is worse than it was.";
            case REGRESSION -> "Something is worse than it was.";
            case BLIND -> "The gate is inconclusive.";
        };
    }

    String sentence(Told told) {
        Change change = told.change();
        return told.series().name() + ": " + NumberFormat.gain(change.ratio()) + " " + interval(change)
                + " since "
                + run(change.at()) + ", " + verdict(change);
    }

    String verdict(Change change) {
        return change.verdict() + (change.undone() ? ", undone" : "");
    }

    String run(int at) {
        return trend.runs().get(at).run();
    }

    String interval(Change change) {
        return "[" + NumberFormat.gain(change.low()) + ", " + NumberFormat.gain(change.high()) + "]";
    }

    /** Everything else that changed at a change, or near it. */
    String cause(Change change) {
        List<String> parts = new ArrayList<>();
        change.differences().forEach(one -> parts.add(told(one)));
        change.nearby().forEach(one -> parts.add("nearby, at " + run(change.nearbyAt()) + ": " + told(one)));
        if (!change.machine().isEmpty()) {
            parts.add("the machine: " + NumberFormat.listed(change.machine()));
        }
        return parts.isEmpty() ? "nothing that was recorded" : String.join("; ", parts);
    }

    private static String told(Difference difference) {
        String kind = difference.kind().name().toLowerCase(Locale.ROOT);
        List<String> values = TextLines.apart(difference.values(), LONGEST);
        return (difference.kind() == Difference.Kind.KAFKA ? "Kafka" : kind + " " + difference.name()) + " "
                + values.get(0) + " → " + values.get(1);
    }

    /** The figure of the newest run. */
    static String last(Series series) {
        return NumberFormat.figure(
                series.metric(), series.points().get(series.points().size() - 1).figure());
    }

    /** The level since the last change, which is no run's. */
    static String level(Series series) {
        return NumberFormat.figure(series.metric(), series.level());
    }

    /** The change that would be found within five runs, or how many runs are missing until one can be. */
    static String detectable(Series series) {
        return series.missing() > 0
                ? "in " + series.missing() + (series.missing() == 1 ? " run" : " runs")
                : NumberFormat.change(series.visible());
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        trend.leftOut().forEach(line -> notes.add("Left out: " + line + "."));
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
                lines.wrap("  ", "to accept it: --accept " + gate.acceptable());
            }
        }
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "runs", "last run", "level", "changes", "detectable"));
        for (Series series : trend.series()) {
            rows.add(List.of(
                    series.name(),
                    String.valueOf(series.points().size()),
                    last(series),
                    level(series),
                    String.valueOf(series.changes().size()),
                    detectable(series)));
        }
        lines.table(rows, MOST_ROWS);
        for (Told told : changes()) {
            lines.add("");
            lines.wrap("  ", sentence(told));
            lines.wrap("    ", "changed there: " + cause(told.change()));
        }
        if (!notes().isEmpty()) {
            lines.add("");
            notes().forEach(note -> lines.wrap("  ! ", note));
        }
        return lines.text();
    }
}
