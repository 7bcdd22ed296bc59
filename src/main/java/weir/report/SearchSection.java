package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.judge.Capacities;
import weir.judge.LoadCurve;
import weir.report.block.Axis;
import weir.report.block.Block;
import weir.report.block.Chart;
import weir.report.block.Table;
import weir.results.TrialFolder;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The report section about capacity searches: the answer and the trials of each search. */
public final class SearchSection {
    private static final int MOST = 14;

    private SearchSection() {}

    static List<Block> capacities(RunView run) {
        if (run.found().capacities().isEmpty()) {
            return List.of();
        }
        Map<Integer, TrialResult> trials = trials(run);
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note(
                "Each row is a trial at one fixed rate, in the order of the search. The band is the 95 % interval of"
                        + " the highest sustained rate. A trial is sustained if it meets every limit, and if at least"
                        + " 99.5 % of its due operations are acked or still wait for an answer. In a sustained trial,"
                        + " no queue grows, no operation fails, no record is lost, and no reader falls behind. A"
                        + " longer trial confirms the answer."));
        run.result().comparisons().stream()
                .filter(c -> c.metric().equals(CapacityResult.METRIC))
                .forEach(c -> blocks.add(Block.text(
                        c.pair() + ": " + c.text() + ", " + c.verdict() + " (from the ends of both rate intervals)")));
        for (int i = 0; i < run.found().capacities().size(); i++) {
            blocks.add(trace(run.found().capacities().get(i), "t-search-" + i, trials));
        }
        return blocks;
    }

    public static Map<Integer, TrialResult> trials(RunView run) {
        return run.folder().searched().stream()
                .filter(TrialFolder::finished)
                .collect(
                        Collectors.toMap(trial -> trial.started().trial(), TrialFolder::result, (first, last) -> last));
    }

    public record AttemptRow(Attempt attempt, @Nullable TrialResult trial) {
        public LatencyResult latency(Function<Figures, LatencyResult> which) {
            return trial == null ? LatencyResult.NONE : which.apply(trial.figures());
        }
    }

    public static Block trace(CapacityResult result, String id, Map<Integer, TrialResult> trials) {
        List<Attempt> tried = result.tried();
        if (tried.isEmpty()) {
            return Block.text(result.of() + ": " + result.reason());
        }
        Table table = Table.of(
                        1,
                        tried.stream()
                                .map(one -> new AttemptRow(one, trials.get(one.trial())))
                                .toList())
                .column("trial", one -> String.valueOf(one.attempt.trial()))
                .column("rate", one -> NumberFormat.rate(one.attempt.rate()))
                .column(
                        "",
                        one -> state(one.attempt),
                        one -> "state "
                                + switch (one.attempt.outcome()) {
                                    case SUSTAINED -> "sustained";
                                    case REFUSED -> "broken";
                                    case OURS, DISTURBED -> "degraded";
                                })
                .latencies("response ", one -> one.latency(Figures::response), 50, 99, 99.9)
                .column("achieved", one -> achieved(one.trial))
                .latencies("late ", one -> one.latency(Figures::late), 99)
                .column("why not", one -> one.attempt.why(), one -> "text")
                .as(id, "Each trial of the search for the capacity of " + result.of());
        String limits = result.limits().isEmpty() ? "" : "Limits: " + Capacities.limits(result) + ". ";
        String below = Capacities.refusedBelow(result);
        Chart chart = Chart.ofRows(
                        result.of() + ": " + Capacities.answer(result),
                        Axis.log("operations/s"),
                        tried.stream().map(one -> String.valueOf(one.trial())).toList())
                .wide()
                .note(limits + result.reason() + (below.isEmpty() ? "" : "; " + below))
                .key("sustained", "c1 block")
                .key("refused", "c2 block")
                .key("the generator was the limit", "c4 block")
                .table(table);
        if (result.low() != null && result.high() != null) {
            chart.band(result.low(), result.high(), Capacities.interval(result), "phase");
        }
        if (result.rate() != null) {
            chart.mark(result.rate(), NumberFormat.rate(result.rate()) + (Capacities.wide(result) ? " sustained" : ""));
        }
        for (int i = 0; i < tried.size(); i++) {
            Attempt one = tried.get(i);
            String text = NumberFormat.rate(one.rate()) + ": " + state(one)
                    + (one.why().isEmpty() ? "" : ", " + one.why());
            switch (one.outcome()) {
                case SUSTAINED -> chart.dot(one.rate(), i + 0.5, "c1", text);
                case REFUSED -> chart.cross(one.rate(), i + 0.5, "c2", text);
                case OURS, DISTURBED -> chart.cross(one.rate(), i + 0.5, "c4", text);
            }
        }
        return chart;
    }

    public static String state(Attempt one) {
        String longer = one.confirmation() ? " for " + NumberFormat.seconds(one.seconds()) : "";
        return switch (one.outcome()) {
            case SUSTAINED -> "sustained" + longer;
            case REFUSED -> "refused" + longer;
            case OURS -> "the generator was the limit";
            case DISTURBED -> "disturbed" + longer;
        };
    }

    private static String achieved(@Nullable TrialResult trial) {
        if (trial == null) {
            return NumberFormat.MISSING;
        }
        List<LoadCurve.Point> points =
                LoadCurve.of(trial.variant(), List.of(trial)).points();
        return points.isEmpty() ? NumberFormat.MISSING : points.get(0).achievement();
    }

    private record Rate(String of, double perSecond, List<Attempt> tried) {
        List<Attempt> refused() {
            return tried.stream()
                    .filter(one -> one.outcome() != Attempt.Outcome.SUSTAINED)
                    .toList();
        }

        String refusals() {
            long disturbed = refused().stream()
                    .filter(one -> one.outcome() == Attempt.Outcome.DISTURBED)
                    .count();
            return refused().size() - disturbed + (disturbed == 0 ? "" : " and " + disturbed + " disturbed");
        }
    }

    static List<Block> briefCapacities(RunView run) {
        if (run.found().capacities().isEmpty()) {
            return List.of();
        }
        List<Rate> rates = new ArrayList<>();
        for (CapacityResult result : run.found().capacities()) {
            SortedMap<Double, List<Attempt>> tried = new TreeMap<>(Comparator.reverseOrder());
            result.tried()
                    .forEach(one -> tried.computeIfAbsent(one.rate(), rate -> new ArrayList<>())
                            .add(one));
            String of = run.found().capacities().size() > 1 ? result.of() : "";
            tried.forEach((rate, attempts) -> rates.add(new Rate(of, rate, attempts)));
        }
        return List.of(Table.of(1, rates)
                .column("", Rate::of)
                .column("rate", rate -> NumberFormat.rate(rate.perSecond))
                .column(
                        "sustained",
                        rate -> String.valueOf(
                                rate.tried.size() - rate.refused().size()))
                .column("refused", Rate::refusals)
                .column(
                        TextLines.WHY,
                        rate -> rate.refused().isEmpty()
                                ? ""
                                : rate.refused().get(rate.refused().size() - 1).why())
                .table()
                .most(run.trials().isEmpty() ? MOST : MOST / 2));
    }
}
