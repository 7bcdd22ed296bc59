package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.StressResult;
import weir.results.value.TrialResult;

/** The disturbances of a run, trial by trial, and what each of them did. */
final class DisturbanceSection {
    private static final List<String> COLUMNS = List.of(
            "", "disturbance", "begins", "over", "taken over", "gap", "recovery", "in sync", "lost", "duplicated");

    private static final List<String> STRESS_COLUMNS =
            List.of("", "stress", "held", "wrote", "cores", "memory pressure", "disk busy", "major faults");

    private static final List<String> WORST_COLUMNS = List.of(
            "",
            "disturbance",
            "trials",
            "taken over",
            "gap",
            "recovery",
            "in sync",
            "acked",
            "lost",
            "duplicated",
            "reordered");

    private DisturbanceSection() {}

    static boolean any(RunView run) {
        return run.results().stream().anyMatch(trial -> !trial.disturbances().isEmpty());
    }

    private static List<List<String>> rows(RunView run) {
        List<List<String>> rows = new ArrayList<>();
        for (TrialView trial : run.trials()) {
            for (DisturbanceResult one : trial.result().disturbances()) {
                Double over = one.to();
                rows.add(List.of(
                        trial.label(),
                        one.name() + ": " + one.what(),
                        NumberFormat.seconds(one.from()),
                        seconds(over),
                        seconds(one.takenOver()),
                        NumberFormat.seconds(one.gap()),
                        one.recoveryTime(),
                        seconds(one.inSync()),
                        NumberFormat.count(trial.result().figures().count(Count.LOST)),
                        NumberFormat.count(trial.result().figures().count(Count.DUPLICATED))));
            }
        }
        return rows;
    }

    /** Each disturbance of each variant, in its worst trial; counts are those of all of its trials. */
    private static List<List<String>> worst(RunView run) {
        Map<List<String>, List<TrialResult>> disturbed = new LinkedHashMap<>();
        for (TrialResult trial : run.results()) {
            for (DisturbanceResult one : trial.disturbances()) {
                if (!one.missed()) {
                    disturbed
                            .computeIfAbsent(List.of(trial.variant(), one.name()), none -> new ArrayList<>())
                            .add(trial);
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        disturbed.forEach((key, trials) -> rows.add(worst(key.get(0), key.get(1), trials)));
        return rows;
    }

    private static List<String> worst(String variant, String name, List<TrialResult> trials) {
        List<DisturbanceResult> all = trials.stream()
                .flatMap(trial -> Stream.ofNullable(trial.disturbance(name)))
                .toList();
        double gap = all.stream().mapToDouble(DisturbanceResult::gap).max().orElse(0);
        String recovery = all.stream()
                .filter(one -> one.recovery() != null)
                .max(Comparator.comparingDouble(one -> zero(one.recovery())))
                .map(DisturbanceResult::recoveryTime)
                .orElse(NumberFormat.MISSING);
        List<String> row = new ArrayList<>(List.of(
                variant,
                name,
                Integer.toString(trials.size()),
                slowest(all, DisturbanceResult::takenOver),
                NumberFormat.seconds(gap),
                recovery,
                slowest(all, DisturbanceResult::inSync)));
        for (Count count : List.of(Count.ACKED, Count.LOST, Count.DUPLICATED, Count.REORDERED)) {
            Long sum = trials.stream()
                    .map(trial -> trial.figures().count(count))
                    .reduce(0L, (x, y) -> x == null || y == null ? null : Long.valueOf(x + y));
            row.add(NumberFormat.count(sum));
        }
        return row;
    }

    private static String slowest(List<DisturbanceResult> all, Function<DisturbanceResult, @Nullable Double> time) {
        return seconds(all.stream()
                .flatMap(one -> Stream.ofNullable(time.apply(one)))
                .max(Comparator.naturalOrder())
                .orElse(null));
    }

    private static String seconds(@Nullable Double value) {
        return value == null ? NumberFormat.MISSING : NumberFormat.seconds(value);
    }

    private static double zero(@Nullable Double value) {
        return value == null ? 0 : value;
    }

    private static List<List<String>> stresses(RunView run) {
        List<List<String>> rows = new ArrayList<>();
        for (TrialView trial : run.trials()) {
            for (DisturbanceResult one : trial.result().disturbances()) {
                StressResult stress = one.stress();
                if (stress != null) {
                    rows.add(List.of(
                            trial.label(),
                            one.name(),
                            size(stress.memory()),
                            size(stress.disk()),
                            number(stress.cores().taken()),
                            effect(stress.memoryPressure(), " %"),
                            effect(stress.diskBusy(), " %"),
                            effect(stress.majorFaults(), "/s")));
                }
            }
        }
        return rows;
    }

    private static String size(StressResult.Taken amount) {
        Double asked = amount.asked();
        Double taken = amount.taken();
        return asked == null || asked == 0
                ? NumberFormat.MISSING
                : (taken == null ? NumberFormat.MISSING : StressResult.size(taken)) + ", asked "
                        + StressResult.size(asked);
    }

    private static String effect(StressResult.Effect effect, String unit) {
        return effect.before() == null && effect.during() == null
                ? NumberFormat.MISSING
                : number(effect.before()) + " \u2192 " + number(effect.during()) + unit;
    }

    private static String number(@Nullable Double value) {
        return value == null ? NumberFormat.MISSING : NumberFormat.number(value);
    }

    static Html html(RunView run) {
        Html html = new Html();
        Table worst = new Table(2, WORST_COLUMNS);
        worst(run).forEach(worst::row);
        html.element(
                "p",
                "Each variant in the worst of its trials; the counts are those of all of them. Trials in which the broker led"
                        + " nothing are left out.",
                "class",
                "note");
        html.add(worst.html("t-durability", "The durability and the availability that you actually get"));
        Table table = new Table(2, COLUMNS);
        rows(run).forEach(table::row);
        html.element(
                "p",
                "\u201ctaken over\u201d: from the begin until other brokers led all partitions that the broker had led."
                        + " \u201cgap\u201d: the longest time from the begin on in which nothing was acknowledged or, where somebody reads, received, in whole"
                        + " seconds: single partitions may stand still for longer, which p99 shows. \u201crecovery\u201d: from the end of the disturbance, or from its begin where it has none,"
                        + " until three windows in a row were as before, which are unknown where fewer follow: nothing failed, at least 95 % of what was due was"
                        + " acknowledged and, where somebody reads, received, p99 was at most twice that of before and 10 ms,"
                        + " and the lag at most twice the most of before and what is due in 0.1 s. \u201cin sync\u201d: from the moment"
                        + " in which the disturbance began to be undone until all replicas of the broker were in sync. Lost and"
                        + " duplicated are those of the whole trial.",
                "class",
                "note");
        html.add(table.html("t-disturbances", "What each disturbance did"));
        List<List<String>> stresses = stresses(run);
        if (!stresses.isEmpty()) {
            Table taken = new Table(2, STRESS_COLUMNS);
            stresses.forEach(taken::row);
            html.element(
                    "p",
                    "\u201cheld\u201d: the most memory that the processes of the stress had at once, their own included;"
                            + " \u201cwrote\u201d: what they wrote to files of the size that was asked, again and again. What the machine said of"
                            + " it, before and during it: the share of the time in which some task waited for memory (PSI),"
                            + " how long the brokers\u2019 disk was busy, and pages that had to be read from a disk.",
                    "class",
                    "note");
            html.add(taken.html("t-stresses", "What each stress took"));
        }
        return html;
    }

    static void lines(RunView run, TextLines lines) {
        lines(WORST_COLUMNS, worst(run), lines);
        lines(STRESS_COLUMNS, stresses(run), lines);
    }

    private static void lines(List<String> columns, List<List<String>> rows, TextLines lines) {
        if (!rows.isEmpty()) {
            rows.add(0, columns);
            lines.add("");
            lines.table(rows, TextReport.MOST_ROWS);
        }
    }
}
