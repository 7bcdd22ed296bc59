package weir.plan.trial;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.plan.Experiment;
import weir.plan.MeasureSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;

/** A copy of a variant with a fixed rate instead of the rate of the file. */
public final class FixedRateVariant {
    /** The limit of the drain. A longer drain would only help a rate that overloads the system. */
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private static final Duration AT_ONCE = Duration.ofMillis(10);

    private static final MathContext DIGITS = new MathContext(4);
    private static final int LONGER = 10;
    private static final String SEARCH = "search";

    private FixedRateVariant() {}

    /**
     * The variant for a trial of a search: without disturbances, on brokers that all trials share.
     *
     * @param least minimum measured length; a percentile may need more messages
     */
    public static Variant tried(Variant variant, SearchSpec.Capacity search, double perSecond, Duration least) {
        return at(steady(variant, search.warmup(), length(search, perSecond, least), SEARCH), perSecond, SEARCH);
    }

    /**
     * The variant for a search trial of the usual length. It reads unread records after the load only for a limit,
     * because the confirming trial always does.
     */
    public static Variant tried(Variant variant, SearchSpec.Capacity search, double perSecond) {
        Variant tried = tried(variant, search, perSecond, search.measure());
        Variant unread = tried.with("verify", Verify.FALSE, SEARCH);
        boolean enough = search.limits().stream()
                .allMatch(limit -> limit.metric().lacking(unread).isEmpty());
        return enough ? unread : tried;
    }

    /** The variant for a longer confirming trial, which begins with a pause of the generator. */
    public static Variant confirmed(Variant variant, SearchSpec.Capacity search, double perSecond) {
        Variant tried = tried(variant, search, perSecond, search.confirming());
        return timed(tried, paused(search, perSecond), length(search, perSecond, search.confirming()), SEARCH);
    }

    static Duration recovering(SearchSpec.Capacity search) {
        return search.warmup().plus(search.pause()).plus(search.settling());
    }

    private static WarmupSpec paused(SearchSpec.Capacity search, double perSecond) {
        double pause = search.pause().toNanos();
        double catchingUp = perSecond * (pause + AT_ONCE.toNanos()) / AT_ONCE.toNanos();
        List<RateSpec.Step> steps = new ArrayList<>();
        if (!search.warmup().isZero()) {
            steps.add(step(perSecond, search.warmup()));
        }
        steps.add(step(0, search.pause()));
        steps.add(step(catchingUp, AT_ONCE));
        steps.add(step(perSecond, search.settling()));
        return new WarmupSpec.ForAt(recovering(search), new RateSpec.Steps(steps, Duration.ZERO, false));
    }

    private static RateSpec.Step step(double perSecond, Duration length) {
        return new RateSpec.Step(Rate.of(perSecond), false, length);
    }

    /**
     * The variant that warms up client and brokers before a search, at a rate in operations per second, or at full
     * speed for an infinite rate.
     */
    public static Variant warmUp(Variant variant, SearchSpec.Capacity search, double perSecond, Duration length) {
        return timed(paced(variant, search, perSecond, length), new WarmupSpec.None(), length, SEARCH);
    }

    public static Variant paced(Variant variant, SearchSpec.Capacity search, double perSecond, Duration length) {
        return at(
                steady(variant, search.warmup(), length, SEARCH).with("verify", Verify.FALSE, SEARCH),
                perSecond,
                SEARCH);
    }

    public static Variant steady(Variant variant, Duration warmup, Duration length, String origin) {
        WarmupSpec before = warmup.isZero() ? new WarmupSpec.None() : new WarmupSpec.For(warmup);
        Duration drain = DRAIN.compareTo(variant.drain()) < 0 ? DRAIN : variant.drain();
        return timed(variant.undisturbed().onSharedBrokers(origin), before, length, origin)
                .with("drain", drain, origin);
    }

    public static Variant timed(Variant variant, WarmupSpec warmup, Duration length, String origin) {
        return variant.with("warmup", warmup, origin).with("measure", new MeasureSpec.For(length), origin);
    }

    public static Variant of(Variant variant, double capacity, String origin) {
        if (!(variant.load().rate() instanceof RateSpec.OfCapacity part)) {
            return variant;
        }
        double rate = rounded(capacity * part.share().share());
        return at(variant, rate, origin);
    }

    /**
     * The variant that carries out its operations on the brokers of a search: at its own rate or, without one, at half
     * of the capacity.
     */
    public static Variant operated(Variant variant, double capacity) {
        Variant at = variant.rateOmitted() ? at(variant, rounded(capacity / 2), SEARCH) : of(variant, capacity, SEARCH);
        return at.onSharedBrokers(SEARCH);
    }

    /**
     * The variant at its highest possible rate: its share of the upper limit of the search for a capacity. Unchanged
     * without a limit.
     */
    public static Variant atMost(Experiment experiment, Variant variant) {
        for (SearchSpec.Capacity search : experiment.capacities()) {
            double to = variant.load().senders().operations(search.to(), false);
            if (to > 0) {
                return of(variant, to, "search.capacity.to");
            }
        }
        return variant;
    }

    /** The variant at a rate in operations per second, or at full speed for an infinite rate. */
    public static Variant at(Variant variant, double perSecond, String origin) {
        RateSpec rate =
                Double.isInfinite(perSecond) ? new RateSpec.Max() : new RateSpec.Fixed(Rate.of(perSecond), false);
        return variant.with("load.rate", rate, origin);
    }

    /** The length after which ten messages are above the highest percentile in the limits, up to a maximum. */
    public static Duration length(SearchSpec.Capacity search, double perSecond, Duration least) {
        double furthest = search.limits().stream()
                .filter(limit -> limit.latency() && limit.stat().startsWith("p"))
                .mapToDouble(limit -> Double.parseDouble(limit.stat().substring(1)))
                .max()
                .orElse(0);
        double needed = Math.rint(10 * 100 / (100 - furthest)) / perSecond;
        double most = search.measure().toMillis() / 1e3 * LONGER;
        double wanted = Math.min(most, needed);
        return wanted * 1_000 <= least.toMillis() ? least : Duration.ofSeconds((long) Math.ceil(wanted));
    }

    public static double rounded(double perSecond) {
        return new BigDecimal(perSecond).round(DIGITS).doubleValue();
    }
}
