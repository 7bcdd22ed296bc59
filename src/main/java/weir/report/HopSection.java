package weir.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.report.chart.Html;
import weir.report.chart.Table;
import weir.results.value.HopResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** The way of an event, stretch by stretch: where the time from end to end goes. */
final class HopSection {
    /** How much the stretches may differ from the whole before that is said. */
    private static final double TOLERABLE = 0.05;

    private HopSection() {}

    static boolean any(RunView run) {
        return run.results().stream().anyMatch(trial -> !trial.hops().isEmpty());
    }

    private static List<TrialView> trials(RunView run) {
        return run.variants().stream()
                .map(run::median)
                .filter(trial -> !trial.result().hops().isEmpty())
                .toList();
    }

    static Html html(RunView run) {
        Html html = new Html();
        html.element(
                "p",
                "The way of an event from the moment at which it was due until its receiver has it, in the "
                        + (run.repeats() ? "median " : "")
                        + "trial of each variant, at the slowest of its rising steps. Where the same events passed everywhere, all"
                        + " means add up to the mean e2e. An arrow is the way between two"
                        + " processes, until the request has come whole. Writing ends with Kafka's acknowledgement, fetching when"
                        + " the event has come out of Kafka: it may do so before the acknowledgement is back, and is less than"
                        + " nothing then. Waiting ends when the first request to the next hop is written.",
                "class",
                "note");
        int number = 0;
        for (TrialView trial : trials(run)) {
            html.add(table(trial, "t-hops-" + number++));
            String doubt = doubt(trial.result());
            if (!doubt.isEmpty()) {
                html.element("p", doubt, "class", "warn");
            }
        }
        return html;
    }

    private static Html table(TrialView trial, String id) {
        double whole = mean(trial.result());
        Table table = new Table(1, "", "mean", "share of e2e", "p99 of the worst second", "events");
        for (HopResult hop : trial.result().hops()) {
            table.row(
                    hop.name(),
                    NumberFormat.millis(hop.mean()),
                    NumberFormat.share(hop.mean() / whole),
                    NumberFormat.millis(hop.worst()),
                    NumberFormat.count(hop.count()));
        }
        table.row(
                "all of them, of a mean e2e of " + NumberFormat.millis(whole),
                NumberFormat.millis(sum(trial.result())),
                NumberFormat.share(sum(trial.result()) / whole),
                NumberFormat.MISSING,
                NumberFormat.MISSING);
        StepResult step = trial.result().slowestRising();
        return table.html(id, trial.label() + (step == null ? "" : " at " + NumberFormat.rate(step.rate())));
    }

    /** Empty where the stretches are the whole. */
    private static String doubt(TrialResult trial) {
        double off = sum(trial) / mean(trial) - 1;
        return Math.abs(off) <= TOLERABLE
                ? ""
                : "The stretches are " + NumberFormat.share(Math.abs(off)) + (off > 0 ? " more" : " less")
                        + " than the mean e2e: not the same events passed everywhere.";
    }

    private static double sum(TrialResult trial) {
        return trial.hops().stream().mapToDouble(HopResult::mean).sum();
    }

    private static double mean(TrialResult trial) {
        StepResult step = trial.slowestRising();
        @Nullable Double mean = step == null ? null : step.figures().e2e().mean();
        return mean == null ? Double.NaN : mean;
    }

    static void lines(RunView run, TextLines lines) {
        for (TrialView trial : trials(run)) {
            List<String> parts = new ArrayList<>();
            trial.result().hops().forEach(hop -> parts.add(hop.name() + " " + NumberFormat.millis(hop.mean())));
            lines.wrap(
                    "  ",
                    trial.result().variant() + ", where the mean e2e of " + NumberFormat.millis(mean(trial.result()))
                            + " goes: " + String.join(", ", parts));
        }
    }
}
