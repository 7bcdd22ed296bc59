package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import weir.judge.Capacities;
import weir.judge.LoadCurve;
import weir.judge.SearchAnswers;
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
import weir.results.value.PartitionsResult;
import weir.results.value.PartitionsResult.PartitionTrial;
import weir.results.value.TrialResult;

/** The answers of searches for capacities and numbers of partitions, and how they were found. */
final class SearchSection {
    private static final int MOST = 14;

    private SearchSection() {}

    static List<Block> capacities(RunView run) {
        if (run.capacities().isEmpty()) {
            return List.of();
        }
        Map<Integer, TrialResult> trials = trials(run);
        List<Block> blocks = new ArrayList<>();
        blocks.add(Block.note(
                "Each row is a trial at one fixed rate, in the order in which they were tried. The band is the 95 % interval:"
                        + " the rates between which the highest sustained one lies. A trial is sustained when every limit is kept, at"
                        + " least 99.5 % is achieved or still on its way, no queue grows, nothing fails or is lost, and the"
                        + " readers do not fall behind. A longer one confirms the answer."));
        run.result().comparisons().stream()
                .filter(c -> c.metric().equals(CapacityResult.METRIC))
                .forEach(c -> blocks.add(Block.text(
                        c.pair() + ": " + c.text() + ", " + c.verdict() + " (from end to end of both intervals)")));
        for (int i = 0; i < run.capacities().size(); i++) {
            blocks.add(trace(run.capacities().get(i), "t-search-" + i, trials));
        }
        return blocks;
    }

    static Map<Integer, TrialResult> trials(RunView run) {
        Map<Integer, TrialResult> trials = new TreeMap<>();
        for (TrialFolder trial : run.folder().searched()) {
            if (trial.finished()) {
                trials.put(trial.started().trial(), trial.result());
            }
        }
        return trials;
    }

    private record Try(Attempt attempt, @Nullable TrialResult trial) {
        LatencyResult latency(Function<Figures, LatencyResult> which) {
            return trial == null ? LatencyResult.NONE : which.apply(trial.figures());
        }
    }

    private static Block trace(CapacityResult result, String id, Map<Integer, TrialResult> trials) {
        List<Attempt> tried = result.tried();
        if (tried.isEmpty()) {
            return Block.text(result.of() + ": " + result.reason());
        }
        Table table = Table.of(
                        1,
                        tried.stream()
                                .map(one -> new Try(one, trials.get(one.trial())))
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

    private static String state(Attempt one) {
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
        if (run.capacities().isEmpty()) {
            return List.of();
        }
        List<Rate> rates = new ArrayList<>();
        for (CapacityResult result : run.capacities()) {
            SortedMap<Double, List<Attempt>> tried = new TreeMap<>(Comparator.reverseOrder());
            result.tried()
                    .forEach(one -> tried.computeIfAbsent(one.rate(), rate -> new ArrayList<>())
                            .add(one));
            String of = run.capacities().size() > 1 ? result.of() : "";
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

    static List<Block> partitions(RunView run) {
        if (run.found().partitions().isEmpty()) {
            return List.of();
        }
        Map<Integer, TrialResult> trials = trials(run);
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Block.note(
                        "T is the rate to carry, P what one partition takes, C what one consumer reads of one. The number is"
                                + " max(T/P, T/C), rounded up; its interval follows from those of P and C. That so many partitions carry"
                                + " so much holds only if they add, so it is tested, and then the number itself is tried, and one less."));
        List<PartitionsResult> found = run.found().partitions();
        for (int i = 0; i < found.size(); i++) {
            PartitionsResult result = found.get(i);
            String id = "t-partitions-" + i;
            blocks.add(calculated(result)
                    .as(id, "How many partitions “" + result.of() + "” needs for " + result.target()));
            blocks.add(Block.charts(adding(result, id + "-add")));
            if (!result.carrying().isEmpty()) {
                blocks.add(carrying(result, trials)
                        .as(id + "-carry", "Numbers of partitions that were tried with the whole load"));
            }
            blocks.add(trace(result.producing(), id + "-one", trials));
        }
        return blocks;
    }

    private static Table calculated(PartitionsResult result) {
        CapacityResult one = result.producing();
        Table table = new Table(1, "", "rate", "95 % interval", "partitions for it");
        table.row("T, to carry", NumberFormat.rate(result.rate()), "", "");
        table.row(
                "P, one partition takes",
                NumberFormat.rate(one.rate()),
                Capacities.interval(one),
                number(result.rate(), one.rate()));
        table.row(
                "C, one consumer reads of one",
                NumberFormat.rate(result.consuming()),
                result.consumingLow() == null
                        ? result.consuming() == null ? NumberFormat.MISSING : "more than twice P or T"
                        : "[" + NumberFormat.number(result.consumingLow()) + ", "
                                + NumberFormat.number(Objects.requireNonNull(result.consumingHigh())) + "]",
                number(result.rate(), result.consuming()));
        return table.row(
                "the number",
                "",
                SearchAnswers.interval(result),
                SearchAnswers.number(result).split(" ", 2)[0]);
    }

    private static String number(double target, @Nullable Double one) {
        // 30.03 means 31 partitions, so two decimals are needed.
        return one == null ? NumberFormat.MISSING : String.format(Locale.ROOT, "%,.2f", target / one);
    }

    private static List<Block> adding(PartitionsResult result, String id) {
        List<PartitionTrial> adding =
                result.adding().stream().filter(one -> one.carried() != null).toList();
        if (adding.size() < 2) {
            return List.of();
        }
        double[] xs = adding.stream().mapToDouble(PartitionTrial::partitions).toArray();
        double[] ys = adding.stream()
                .mapToDouble(one -> Objects.requireNonNull(one.carried()))
                .toArray();
        double most = xs[xs.length - 1];
        Chart chart = new Chart("Do partitions add?", Axis.fromZero("partitions"), Axis.fromZero("operations/s"))
                .note("As fast as it goes, with so many times the producers and consumers of one partition.")
                .line("carried", "c1 solid", xs, ys)
                .line("if they added", "c4 dashed", new double[] {0, most}, 0, ys[0] * most);
        for (int i = 0; i < xs.length; i++) {
            chart.dot(xs[i], ys[i], "c1", adding.get(i).partitions() + ": " + NumberFormat.rate(ys[i]));
        }
        return List.of(chart.table(Table.of(1, adding)
                .column("partitions", one -> String.valueOf(one.partitions()))
                .column("carried", one -> NumberFormat.rate(one.carried()))
                .column("of what they would if they added", one -> NumberFormat.percent(result.added(one)))
                .as(id, "What several partitions carry")));
    }

    private static Table carrying(PartitionsResult result, Map<Integer, TrialResult> trials) {
        Function<PartitionTrial, Try> figures =
                one -> new Try(one.tried(), trials.get(one.tried().trial()));
        return Table.of(1, result.carrying())
                .column("trial", one -> String.valueOf(one.tried().trial()))
                .column("partitions", one -> String.valueOf(one.partitions()))
                .column("rate", one -> NumberFormat.rate(one.tried().rate()))
                .column(
                        "",
                        one -> state(one.tried()),
                        one -> "state "
                                + (one.sustained()
                                        ? "sustained"
                                        : one.tried().outcome() == Attempt.Outcome.REFUSED ? "broken" : "degraded"))
                .column("carried", one -> NumberFormat.rate(one.carried()))
                .latencies("response ", one -> figures.apply(one).latency(Figures::response), 99)
                .latencies("e2e ", one -> figures.apply(one).latency(Figures::e2e), 99)
                .latencies("late ", one -> figures.apply(one).latency(Figures::late), 99)
                .column("why not", one -> one.tried().why(), one -> "text")
                .table();
    }

    static List<Block> briefPartitions(RunView run) {
        if (run.found().partitions().isEmpty()) {
            return List.of();
        }
        Table table = new Table(1, "", "partitions", "rate", "carried", TextLines.WHY).most(MOST);
        for (PartitionsResult result : run.found().partitions()) {
            String of = run.found().partitions().size() > 1 ? result.of() + " " : "";
            CapacityResult one = result.producing();
            table.row(of + "P", "1", NumberFormat.rate(one.rate()), "", one.reason());
            table.row(of + "C", "1", NumberFormat.rate(result.consuming()), "", "");
            result.adding()
                    .forEach(each -> table.row(
                            of + "as fast as it goes",
                            String.valueOf(each.partitions()),
                            "",
                            NumberFormat.rate(each.carried()),
                            ""));
            result.carrying()
                    .forEach(each -> table.row(
                            of + state(each.tried()),
                            String.valueOf(each.partitions()),
                            NumberFormat.rate(each.tried().rate()),
                            NumberFormat.rate(each.carried()),
                            each.tried().why()));
        }
        return List.of(table);
    }
}
