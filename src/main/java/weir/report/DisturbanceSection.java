package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.measure.Count;
import weir.measure.Known;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.CatchUpResult;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.StressResult;
import weir.results.value.TrialResult;

/** The disturbances of a run, trial by trial: their effects, and the catch-up of readers with a backlog. */
final class DisturbanceSection {
    private DisturbanceSection() {}

    private record DisturbanceRow(TrialView trial, DisturbanceResult result) {}

    private static List<DisturbanceRow> hits(RunView run) {
        return run.trials().stream()
                .flatMap(trial -> trial.result().disturbances().stream().map(one -> new DisturbanceRow(trial, one)))
                .toList();
    }

    static List<Block> page(RunView run) {
        if (hits(run).isEmpty()) {
            return List.of();
        }
        Table all = Table.of(2, hits(run))
                .column("", hit -> hit.trial.label())
                .column("disturbance", hit -> hit.result.name() + ": " + hit.result.what())
                .column("begins", hit -> NumberFormat.seconds(hit.result.from()))
                .column("over", hit -> NumberFormat.seconds(hit.result.to()))
                .column("taken over", hit -> NumberFormat.seconds(hit.result.takenOver()))
                .column("gap", hit -> NumberFormat.seconds(hit.result.gap()))
                .column("recovery", hit -> hit.result.recoveryTime())
                .column("in sync", hit -> NumberFormat.seconds(hit.result.inSync()))
                .column(
                        "lost",
                        hit -> NumberFormat.count(hit.trial.result().figures().count(Count.LOST)))
                .column(
                        "duplicated",
                        hit -> NumberFormat.count(hit.trial.result().figures().count(Count.DUPLICATED)))
                .as("t-disturbances", "Effect of each disturbance");
        List<Block> blocks = new ArrayList<>(List.of(
                Block.note("Each time is the longest of all trials of a variant. Each count is the sum over these"
                        + " trials. Trials in which the disturbed broker led no partition are left out."),
                worst(run).as("t-durability", "Measured durability and availability"),
                Block.note("A recovery begins at the end of a disturbance, or at the start of a disturbance without"
                        + " an end. A recovery ends when three seconds in a row are good. A second is"
                        + " good if four conditions hold. (1) No operation failed. (2) At least 95 % of the due"
                        + " records were acked and, with readers, received. (3) p99 was at most twice the p99 before"
                        + " the disturbance, plus 10 ms. (4) The lag was at most twice the highest lag before the"
                        + " disturbance, plus the records due in 0.1 s. If a single partition stops for longer than the"
                        + " gap, p99 shows the stop. Lost and duplicated count the whole trial."),
                all));
        Table stresses = stresses(run);
        if (!stresses.empty()) {
            blocks.add(stresses.as("t-stresses", "Resources of each stress"));
        }
        return blocks;
    }

    static List<Block> brief(RunView run) {
        return Stream.of(worst(run), stresses(run))
                .filter(table -> !table.empty())
                .flatMap(table -> Stream.of(Block.GAP, table))
                .toList();
    }

    private record DisturbanceTrials(String variant, String name, List<TrialResult> trials) {
        Stream<DisturbanceResult> all() {
            return trials.stream().flatMap(trial -> Stream.ofNullable(trial.disturbance(name)));
        }

        String slowest(Function<DisturbanceResult, @Nullable Double> time) {
            return NumberFormat.seconds(Known.most(all().toList(), time));
        }

        String recovery() {
            return all().filter(one -> one.recovery() != null)
                    .max(Comparator.comparing(one -> Objects.requireNonNull(one.recovery())))
                    .map(DisturbanceResult::recoveryTime)
                    .orElse(NumberFormat.MISSING);
        }

        String sum(Count count) {
            return NumberFormat.count(trials.stream()
                    .map(trial -> trial.figures().count(count))
                    .reduce(0L, (x, y) -> x == null || y == null ? null : Long.valueOf(x + y)));
        }
    }

    private static Table worst(RunView run) {
        Map<List<String>, DisturbanceTrials> disturbed = new LinkedHashMap<>();
        for (DisturbanceRow hit : hits(run)) {
            String variant = hit.trial.result().variant();
            String name = hit.result.name();
            if (!hit.result.missed()) {
                disturbed
                        .computeIfAbsent(
                                List.of(variant, name), none -> new DisturbanceTrials(variant, name, new ArrayList<>()))
                        .trials
                        .add(hit.trial.result());
            }
        }
        Table.Columns<DisturbanceTrials> table = Table.of(2, disturbed.values())
                .column("", DisturbanceTrials::variant)
                .column("disturbance", DisturbanceTrials::name)
                .column("trials", hits -> String.valueOf(hits.trials.size()))
                .column("taken over", hits -> hits.slowest(DisturbanceResult::takenOver))
                .column("gap", hits -> hits.slowest(DisturbanceResult::gap))
                .column("recovery", DisturbanceTrials::recovery)
                .column("in sync", hits -> hits.slowest(DisturbanceResult::inSync));
        for (Count count : List.of(Count.ACKED, Count.LOST, Count.DUPLICATED, Count.REORDERED)) {
            table.column(count.word(), hits -> hits.sum(count));
        }
        return table.table();
    }

    private static Table stresses(RunView run) {
        List<DisturbanceRow> stressed =
                hits(run).stream().filter(hit -> hit.result.stress() != null).toList();
        return Table.of(2, stressed)
                .column("", hit -> hit.trial.label())
                .column("stress", hit -> hit.result.name())
                .column("held", hit -> size(stress(hit).memory()))
                .column("wrote", hit -> size(stress(hit).disk()))
                .column("cores", hit -> NumberFormat.number(stress(hit).cores().taken()))
                .column("memory pressure", hit -> effect(stress(hit).memoryPressure(), " %"))
                .column("disk busy", hit -> effect(stress(hit).diskBusy(), " %"))
                .column("major faults", hit -> effect(stress(hit).majorFaults(), "/s"))
                .table();
    }

    private static StressResult stress(DisturbanceRow hit) {
        return Objects.requireNonNull(hit.result.stress());
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
                : NumberFormat.number(effect.before()) + " \u2192 " + NumberFormat.number(effect.during()) + unit;
    }

    private record CatchUpRow(TrialView trial, CatchUpResult result) {}

    private static Table.Columns<CatchUpRow> caughtUp(RunView run) {
        return Table.of(
                        1,
                        run.trials().stream()
                                .flatMap(trial -> Stream.ofNullable(
                                                trial.result().catchUp())
                                        .map(caught -> new CatchUpRow(trial, caught)))
                                .toList())
                .column("", one -> one.trial.label())
                .column("backlog", one -> NumberFormat.count(one.result.behind()));
    }

    private static void responses(Table.Columns<CatchUpRow> table, double percentile) {
        table.column(
                        Table.percentile(percentile) + " before",
                        one -> NumberFormat.latency(one.result.before(), percentile))
                .column("during", one -> NumberFormat.latency(one.result.during(), percentile))
                .column("after", one -> NumberFormat.latency(one.result.after(), percentile));
    }

    static List<Block> catchUp(RunView run) {
        if (!run.caughtUp()) {
            return List.of();
        }
        Table.Columns<CatchUpRow> table = caughtUp(run)
                .column("MiB", one -> NumberFormat.number(one.result.mebibytes()))
                .column("caught up in", one -> one.result.time())
                .column("expected", one -> NumberFormat.seconds(one.result.expectedSeconds()))
                .column("read meanwhile", one -> NumberFormat.rate(one.result.recordsPerSecond()))
                .column("MiB/s", one -> NumberFormat.number(one.result.mebibytesPerSecond()))
                .column("lost of it", one -> NumberFormat.count(one.result.lost()));
        responses(table, 50);
        responses(table, 99);
        return List.of(
                Block.note("The readers start at the oldest record when the measured phase starts. The readers have"
                        + " caught up when their lag, in three samples in a row, is at most the records of one second."
                        + " End-to-end latencies count records that were due in the measured phase. Only the section"
                        + " \u201cOver time\u201d includes the backlog."),
                table.as("t-catch-up", "Catch-up of the readers, and the producers' response"));
    }

    static List<Block> briefCatchUp(RunView run) {
        if (!run.caughtUp()) {
            return List.of();
        }
        Table.Columns<CatchUpRow> table = caughtUp(run)
                .column("caught up in", one -> one.result.time())
                .column("read", one -> NumberFormat.rate(one.result.recordsPerSecond()));
        responses(table, 99);
        return List.of(Block.GAP, table.table());
    }
}
