package weir.feature.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import weir.measure.Known;
import weir.report.RunView;
import weir.report.TrialView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.HopResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;

/** The section about the time of an event at each process that it passes. */
final class HopsSection {
    /** Share by which the hops may differ from the whole before the report says so. */
    private static final double TOLERABLE = 0.05;

    private HopsSection() {}

    static List<Block> page(RunView run) {
        if (withHops(run).isEmpty()) {
            return List.of();
        }
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Block.note("The way of an event from the moment at which it was due until its receiver has it, in the "
                        + (run.repeats() ? "median " : "")
                        + "trial of each variant, at the slowest of its rising steps. Where the same events passed everywhere, all"
                        + " means add up to the mean e2e. An arrow is the way between two"
                        + " processes, until the request has come whole. Writing ends with Kafka's acknowledgement, fetching when"
                        + " the event has come out of Kafka: it may do so before the acknowledgement is back, and is less than"
                        + " nothing then. Waiting ends when the first request to the next hop is written."));
        int number = 0;
        for (TrialView trial : withHops(run)) {
            double whole = meanE2e(trial);
            double sum =
                    trial.result().hops().stream().mapToDouble(HopResult::mean).sum();
            StepResult step = trial.result().slowestRising();
            blocks.add(Table.of(1, trial.result().hops())
                    .column("", HopResult::name)
                    .column("mean", hop -> NumberFormat.millis(hop.mean()))
                    .column("share of e2e", hop -> NumberFormat.share(hop.mean() / whole))
                    .column("p99 of the worst second", hop -> NumberFormat.millis(hop.worst()))
                    .column("events", hop -> NumberFormat.count(hop.count()))
                    .table()
                    .row(
                            "all of them, of a mean e2e of " + NumberFormat.millis(whole),
                            NumberFormat.millis(sum),
                            NumberFormat.share(sum / whole),
                            NumberFormat.MISSING,
                            NumberFormat.MISSING)
                    .as(
                            "t-hops-" + number++,
                            trial.label() + (step == null ? "" : " at " + NumberFormat.rate(step.rate()))));
            double off = sum / whole - 1;
            if (Math.abs(off) > TOLERABLE) {
                blocks.add(Block.warning("The stretches are " + NumberFormat.share(Math.abs(off))
                        + (off > 0 ? " more" : " less")
                        + " than the mean e2e: not the same events passed everywhere."));
            }
        }
        return blocks;
    }

    static List<Block> brief(RunView run) {
        return withHops(run).stream()
                .<Block>map(trial -> Block.text(trial.result().variant() + ", where the mean e2e of "
                        + NumberFormat.millis(meanE2e(trial)) + " goes: "
                        + trial.result().hops().stream()
                                .map(hop -> hop.name() + " " + NumberFormat.millis(hop.mean()))
                                .collect(Collectors.joining(", "))))
                .toList();
    }

    private static List<TrialView> withHops(RunView run) {
        return run.variants().stream()
                .map(run::median)
                .filter(trial -> !trial.result().hops().isEmpty())
                .toList();
    }

    private static double meanE2e(TrialView trial) {
        StepResult step = trial.result().slowestRising();
        return Known.orNaN(step == null ? null : step.figures().e2e().mean());
    }
}
