package weir.judge;

import java.util.ArrayList;
import java.util.List;
import weir.measure.Steps;
import weir.results.value.Event;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * The time of a trial that a sentence speaks of: what was measured, a step of it (each time it came), or a phase beside it.
 *
 * @param steps the numbers of the steps to which its messages belong
 * @param spans when it was, in seconds since the trial's first window began
 * @param measured whether it has figures of its own in the result
 * @param amid whether it begins or ends amid steps, so that only some of their parts and windows belong to it
 */
record TimeScope(List<Integer> steps, List<Span> spans, boolean measured, boolean amid) {
    TimeScope {
        steps = List.copyOf(steps);
        spans = List.copyOf(spans);
    }

    record Span(double from, double to) {
        boolean holds(double second, double seconds) {
            return second >= from && second + seconds <= to;
        }
    }

    static TimeScope of(String during, Evidence trial) {
        return switch (during) {
            case "", "measure" -> measured(trial.result().steps());
            case "fill" -> phase(Steps.FILL, "fill", trial.events());
            case "warmup" -> phase(Steps.WARMUP, "warm-up", trial.events());
            case "drain" -> phase(-1, "drain", trial.events());
            default -> {
                List<Span> disturbed = disturbed(during, trial);
                yield disturbed.isEmpty()
                        ? measured(steps(during, trial.result()))
                        : new TimeScope(
                                trial.result().steps().stream()
                                        .map(StepResult::step)
                                        .toList(),
                                disturbed,
                                true,
                                true);
            }
        };
    }

    /** The steps of this rate, whether it is said of the whole load or of each producer. */
    static List<StepResult> steps(String rate, TrialResult trial) {
        return trial.steps().stream()
                .filter(step -> step.label().equals(rate) || step.label().equals(rate + " per producer"))
                .toList();
    }

    private static TimeScope measured(List<StepResult> steps) {
        return new TimeScope(
                steps.stream().map(StepResult::step).toList(),
                steps.stream()
                        .map(step -> new Span(step.from(), step.from() + step.seconds()))
                        .toList(),
                true,
                false);
    }

    /** A disturbance of this name, here or in another variant, as long as something was measured. */
    private static List<Span> disturbed(String name, Evidence trial) {
        double end = trial.result().steps().stream()
                .mapToDouble(step -> step.from() + step.seconds())
                .max()
                .orElse(0);
        return DisturbedTime.of(trial.events()).stream()
                .filter(time -> time.name().equals(name))
                .map(time -> new Span(time.from(), Math.min(end, time.to())))
                .toList();
    }

    private static TimeScope phase(int step, String name, List<Event> events) {
        List<Event> phases = events.stream()
                .filter(event -> event.name().equals(Event.PHASE))
                .toList();
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < phases.size(); i++) {
            if (phases.get(i).text().equals(name)) {
                double end = i + 1 < phases.size() ? phases.get(i + 1).second() : Double.POSITIVE_INFINITY;
                spans.add(new Span(phases.get(i).second(), end));
            }
        }
        return new TimeScope(List.of(step), spans, false, false);
    }

    /** A number for this window that is the same in every trial, -1 when it lies not wholly inside. */
    int place(double second, double seconds) {
        for (int i = 0; i < spans.size(); i++) {
            if (spans.get(i).holds(second, seconds)) {
                return i * 1_000_000 + (int) (second - spans.get(i).from());
            }
        }
        return -1;
    }
}
