package weir.plan.trial;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;

/**
 * The senders of a variant at its own rates against a null target. A step that breaks there is the generator's fault.
 * Each rate is tried once, in its order, for a few seconds.
 */
public final class PaceAloneVariant {
    private static final Duration AT_MOST = Duration.ofSeconds(5);
    private static final Duration WARMUP = Duration.ofSeconds(3);
    private static final Duration AROUND = Duration.ofSeconds(3);

    private PaceAloneVariant() {}

    public static boolean asked(Experiment experiment, Variant variant) {
        return !experiment.shortened()
                && variant.load().target() == LoadSpec.Target.CLUSTER
                && variant.load().producers().engine() != LoadSpec.Engine.HTTP
                && FullSpeedVariant.sends(variant)
                && !variant.load().placed().elsewhere()
                && experiment.searches().stream()
                        .anyMatch(search -> search instanceof SearchSpec.BreakingPoint breaking
                                && breaking.asked(experiment).contains(variant));
    }

    static List<RateSpec.Step> steps(RateSpec rate) {
        List<RateSpec.Step> rising = new ArrayList<>();
        double highest = 0;
        for (RateSpec.Step step : rate.steps()) {
            if (step.rate().perSecond() > highest) {
                highest = step.rate().perSecond();
                rising.add(step);
            }
        }
        return rising;
    }

    /** The variant with only its senders; variants for which it is equal share the trial. */
    public static Variant of(Variant variant) {
        RateSpec rate = variant.load().rate();
        if (rate.steps().isEmpty()) {
            throw new IllegalArgumentException("variant '" + variant.name() + "' has no steps");
        }
        List<RateSpec.Step> steps = steps(rate).stream()
                .map(step -> new RateSpec.Step(step.rate(), step.perProducer(), length(step)))
                .toList();
        return FullSpeedVariant.alone(
                variant,
                new RateSpec.Steps(steps, Duration.ZERO, false),
                new WarmupSpec.ForAt(WARMUP, new RateSpec.Max()),
                new MeasureSpec.AsLongAsRates());
    }

    private static Duration length(RateSpec.Step step) {
        return step.length().compareTo(AT_MOST) < 0 ? step.length() : AT_MOST;
    }

    /** The total time in a run, in which equal senders at equal rates are tried once. */
    static Duration takes(Experiment experiment) {
        return experiment.variants().stream()
                .filter(variant -> asked(experiment, variant))
                .collect(Collectors.toMap(PaceAloneVariant::of, PaceAloneVariant::takes, (a, b) -> a))
                .values()
                .stream()
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration takes(Variant variant) {
        return steps(variant.load().rate()).stream()
                .map(PaceAloneVariant::length)
                .reduce(WARMUP.plus(AROUND), Duration::plus);
    }
}
