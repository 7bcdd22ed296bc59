package weir.results.value;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one trial. {@code startedAt} is ISO-8601 in UTC, {@code seconds} the length of its measured phase;
 * {@code catchUp} is null where no reader had anything to catch up with.
 */
public record TrialResult(
        int trial,
        String variant,
        int repeat,
        String startedAt,
        double seconds,
        SortedMap<String, String> settings,
        Figures figures,
        List<DisturbanceResult> disturbances,
        GeneratorResult generator,
        List<StepResult> steps,
        @Nullable CatchUpResult catchUp) {
    public TrialResult {
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        disturbances = List.copyOf(disturbances);
        steps = List.copyOf(steps);
    }

    /** A result of a load whose readers have nothing to catch up with. */
    public TrialResult(
            int trial,
            String variant,
            int repeat,
            String startedAt,
            double seconds,
            SortedMap<String, String> settings,
            Figures figures,
            List<DisturbanceResult> disturbances,
            GeneratorResult generator,
            List<StepResult> steps) {
        this(trial, variant, repeat, startedAt, seconds, settings, figures, disturbances, generator, steps, null);
    }

    /** The most that was acked in a second of any of its steps, on average; 0 where nothing was sent. */
    public double mostAckedPerSecond() {
        return steps.stream()
                .mapToDouble(step -> step.figures().orZero(RateKind.ACKED))
                .reduce(figures.orZero(RateKind.ACKED), Math::max);
    }

    /** The same trial, its steps judged. */
    public TrialResult with(List<StepResult> judged) {
        return new TrialResult(
                trial,
                variant,
                repeat,
                startedAt,
                seconds,
                settings,
                figures,
                disturbances,
                generator,
                judged,
                catchUp);
    }

    /** One step of it, as if it were all. */
    public TrialResult with(StepResult step) {
        return new TrialResult(
                trial,
                variant,
                repeat,
                startedAt,
                step.seconds(),
                settings,
                step.figures(),
                disturbances,
                generator,
                List.of(step));
    }

    /** The same trial under another variant's name. */
    public TrialResult of(String name) {
        return new TrialResult(
                trial, name, repeat, startedAt, seconds, settings, figures, disturbances, generator, steps, catchUp);
    }
}
