package weir.report.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.judge.Capacities;
import weir.judge.LoadCurve;
import weir.report.RunView;
import weir.report.TextLines;
import weir.report.chart.AxisScale;
import weir.report.chart.Chart;
import weir.report.chart.Html;
import weir.report.chart.Plot;
import weir.report.chart.Table;
import weir.results.TrialFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** How a capacity was found: every rate that was tried, what came of it, and the interval that is left. */
public final class SearchSection {
    private static final List<Chart.Key> KEYS = List.of(
            new Chart.Key("sustained", "c1 block"),
            new Chart.Key("refused", "c2 block"),
            new Chart.Key("the generator was the limit", "c4 block"));

    /** Attempts on a terminal. */
    private static final int MOST = 14;

    private SearchSection() {}

    public static Html html(RunView run) {
        Map<Integer, TrialResult> trials = trials(run);
        Html html = new Html();
        html.element(
                "p",
                "Each row is a trial at one fixed rate, in the order in which they were tried. The band is the 95 % interval:"
                        + " the rates between which the highest sustained one lies. A trial is sustained when every limit is kept, at"
                        + " least 99.5 % is achieved or still on its way, no queue grows, nothing fails or is lost, and the"
                        + " readers do not fall behind. A longer one confirms the answer.",
                "class",
                "note");
        run.comparisons().stream()
                .filter(c -> c.metric().equals(CapacityResult.METRIC))
                .forEach(c -> html.element(
                        "p", c.pair() + ": " + c.text() + ", " + c.verdict() + " (from end to end of both intervals)"));
        for (int i = 0; i < run.capacities().size(); i++) {
            html.add(trace(run.capacities().get(i), "t-search-" + i, trials));
        }
        return html;
    }

    /** The trials of searches that came to their end, by their numbers. */
    static Map<Integer, TrialResult> trials(RunView run) {
        Map<Integer, TrialResult> trials = new TreeMap<>();
        for (TrialFolder trial : run.folder().searched()) {
            if (trial.finished()) {
                trials.put(trial.started().trial(), trial.result());
            }
        }
        return trials;
    }

    static Html trace(CapacityResult result, String id, Map<Integer, TrialResult> trials) {
        List<Attempt> tried = result.tried();
        if (tried.isEmpty()) {
            return new Html().element("p", result.of() + ": " + result.reason());
        }
        double low = tried.stream().mapToDouble(Attempt::rate).min().orElse(1);
        double high = tried.stream().mapToDouble(Attempt::rate).max().orElse(1);
        Html drawing = Chart.drawn(
                width -> plot(result, new AxisScale.Log(low / 1.2, high * 1.2), width), Plot.Width.BROAD, id);
        Table table =
                new Table(1, "trial", "rate", "", "response p50", "p99", "p99.9", "achieved", "late p99", "why not");
        tried.forEach(one -> table.cells(cells(one, trials.get(one.trial()))));
        String limits = result.limits().isEmpty() ? "" : "Limits: " + Capacities.limits(result) + ". ";
        String below = Capacities.refusedBelow(result);
        return Chart.framed(
                result.of() + ": " + Capacities.answer(result),
                limits + result.reason() + (below.isEmpty() ? "" : "; " + below),
                KEYS,
                drawing,
                table.html(id, "Each trial of the search for the capacity of " + result.of()),
                true);
    }

    private static Plot plot(CapacityResult result, AxisScale x, Plot.Width width) {
        List<Attempt> tried = result.tried();
        Plot plot = Plot.rows(
                "Rates that were tried for the capacity of " + result.of(),
                x,
                "operations/s",
                tried.stream().map(one -> String.valueOf(one.trial())).toList(),
                width);
        if (result.low() != null && result.high() != null) {
            plot.band(result.low(), result.high(), Capacities.interval(result), "phase");
        }
        if (result.rate() != null) {
            plot.mark(result.rate(), NumberFormat.rate(result.rate()) + (Capacities.wide(result) ? " sustained" : ""));
        }
        for (int i = 0; i < tried.size(); i++) {
            Attempt one = tried.get(i);
            double row = tried.size() - i - 0.5;
            String text = NumberFormat.rate(one.rate()) + ": " + state(one)
                    + (one.why().isEmpty() ? "" : ", " + one.why());
            switch (one.outcome()) {
                case SUSTAINED -> plot.dot(one.rate(), row, "c1", text);
                case REFUSED -> plot.cross(one.rate(), row, "c2", text);
                case OURS, DISTURBED -> plot.cross(one.rate(), row, "c4", text);
            }
        }
        return plot;
    }

    static String state(Attempt one) {
        String longer = one.confirmation() ? " for " + NumberFormat.seconds(one.seconds()) : "";
        return switch (one.outcome()) {
            case SUSTAINED -> "sustained" + longer;
            case REFUSED -> "refused" + longer;
            case OURS -> "the generator was the limit";
            case DISTURBED -> "disturbed" + longer;
        };
    }

    private static List<Table.Cell> cells(Attempt one, @Nullable TrialResult trial) {
        LatencyResult response =
                trial == null ? LatencyResult.NONE : trial.figures().response();
        LatencyResult late =
                trial == null ? LatencyResult.NONE : trial.figures().late();
        List<Table.Cell> cells = new ArrayList<>();
        cells.add(new Table.Cell(String.valueOf(one.trial()), ""));
        cells.add(new Table.Cell(NumberFormat.rate(one.rate()), ""));
        String look = one.outcome() == Attempt.Outcome.SUSTAINED
                ? "sustained"
                : one.outcome() == Attempt.Outcome.REFUSED ? "broken" : "degraded";
        cells.add(new Table.Cell(state(one), "state " + look));
        cells.add(new Table.Cell(NumberFormat.latency(response, 50), ""));
        cells.add(new Table.Cell(NumberFormat.latency(response, 99), ""));
        cells.add(new Table.Cell(NumberFormat.latency(response, 99.9), ""));
        cells.add(new Table.Cell(achieved(trial), ""));
        cells.add(new Table.Cell(NumberFormat.latency(late, 99), ""));
        cells.add(new Table.Cell(one.why(), "text"));
        return cells;
    }

    private static String achieved(@Nullable TrialResult trial) {
        if (trial == null) {
            return NumberFormat.MISSING;
        }
        List<LoadCurve.Point> points =
                LoadCurve.of(trial.variant(), List.of(trial)).points();
        return points.isEmpty() ? NumberFormat.MISSING : points.get(0).achievement();
    }

    /** Every rate that was tried, the highest first, for a terminal. */
    private static List<List<String>> rows(List<CapacityResult> found) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "rate", "sustained", "refused", TextLines.WHY));
        for (CapacityResult result : found) {
            SortedMap<Double, List<Attempt>> rates = new TreeMap<>(Comparator.reverseOrder());
            result.tried()
                    .forEach(one -> rates.computeIfAbsent(one.rate(), rate -> new ArrayList<>())
                            .add(one));
            rates.forEach((rate, tried) -> {
                List<Attempt> refused = tried.stream()
                        .filter(one -> one.outcome() != Attempt.Outcome.SUSTAINED)
                        .toList();
                long disturbed = refused.stream()
                        .filter(one -> one.outcome() == Attempt.Outcome.DISTURBED)
                        .count();
                rows.add(List.of(
                        found.size() > 1 ? result.of() : "",
                        NumberFormat.rate(rate),
                        String.valueOf(tried.size() - refused.size()),
                        refused.size() - disturbed + (disturbed == 0 ? "" : " and " + disturbed + " disturbed"),
                        refused.isEmpty() ? "" : refused.get(refused.size() - 1).why()));
            });
        }
        return rows;
    }

    public static void lines(RunView run, TextLines lines) {
        lines.table(rows(run.capacities()), run.trials().isEmpty() ? MOST : MOST / 2);
    }
}
