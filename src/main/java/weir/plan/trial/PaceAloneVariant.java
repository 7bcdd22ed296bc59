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
 * A variant's sending side alone at the rates of its pace, against nothing: where it does not hold a step, a break there is
 * the generator's own. Each rate is tried once, in its order, for a few seconds.
 */
public final class PaceAloneVariant {
    private static final Duration AT_MOST = Duration.ofSeconds(5);
    private static final Duration WARMUP = Duration.ofSeconds(3);
    /** The time that a worker and a sink take to start and end. */
    private static final Duration AROUND = Duration.ofSeconds(3);

    private PaceAloneVariant() {}

    /** True when a variant is to be tried so: when it is asked where it breaks, and the run is no short one. */
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

    /** Variants of which this is equal are the same alone. */
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

    /** How long all of it takes in a run: what sends alike at the same pace is tried once. */
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
