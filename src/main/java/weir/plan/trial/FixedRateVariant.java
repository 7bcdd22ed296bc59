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

/** A variant at a fixed rate that is not the file's own. */
public final class FixedRateVariant {
    /** The wait for records known to be on their way; a longer one would only serve an overload. */
    private static final Duration DRAIN = Duration.ofSeconds(3);

    /** The time after a pause in which all that was missed becomes due. */
    private static final Duration AT_ONCE = Duration.ofMillis(10);

    private static final MathContext DIGITS = new MathContext(4);
    private static final int LONGER = 10;
    private static final String SEARCH = "search";

    private FixedRateVariant() {}

    /**
     * As it is tried by a search: without disturbances, and on brokers that carried the tries before it.
     *
     * @param least how long it is measured, or longer where a percentile needs more messages
     */
    public static Variant tried(Variant variant, SearchSpec.Capacity search, double perSecond, Duration least) {
        return at(steady(variant, search.warmup(), length(search, perSecond, least), SEARCH), perSecond, SEARCH);
    }

    /**
     * As it is tried for the usual time. What was written is not read back unless a limit is about that: the trial that
     * confirms the answer is read back for all.
     */
    public static Variant tried(Variant variant, SearchSpec.Capacity search, double perSecond) {
        Variant tried = tried(variant, search, perSecond, search.measure());
        Variant unread = tried.with("verify", Verify.FALSE, SEARCH);
        boolean told = search.limits().stream()
                .allMatch(limit -> limit.metric().lacking(unread).isEmpty());
        return told ? unread : tried;
    }

    /** As it is confirmed: longer, and after a pause of the generator, whose queue has to be gone. */
    public static Variant confirmed(Variant variant, SearchSpec.Capacity search, double perSecond) {
        Variant tried = tried(variant, search, perSecond, search.confirming());
        return timed(tried, paused(search, perSecond), length(search, perSecond, search.confirming()), SEARCH);
    }

    /** The time before a confirmation is measured: a warm-up, the pause, and the time to work off what it left. */
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

    /** Before a search, so that nothing is cold: at this many operations per second, or infinitely many. */
    public static Variant heated(Variant variant, SearchSpec.Capacity search, double perSecond, Duration length) {
        return timed(paced(variant, search, perSecond, length), new WarmupSpec.None(), length, SEARCH);
    }

    static Variant paced(Variant variant, SearchSpec.Capacity search, double perSecond, Duration length) {
        return at(
                steady(variant, search.warmup(), length, SEARCH).with("verify", Verify.FALSE, SEARCH),
                perSecond,
                SEARCH);
    }

    /** Without disturbances, on brokers that stay, and for so long behind a warm-up, at whatever rate. */
    static Variant steady(Variant variant, Duration warmup, Duration length, String origin) {
        WarmupSpec before = warmup.isZero() ? new WarmupSpec.None() : new WarmupSpec.For(warmup);
        Duration drain = DRAIN.compareTo(variant.drain()) < 0 ? DRAIN : variant.drain();
        return timed(variant.undisturbed().onSharedBrokers(origin), before, length, origin)
                .with("drain", drain, origin);
    }

    static Variant timed(Variant variant, WarmupSpec warmup, Duration length, String origin) {
        return variant.with("warmup", warmup, origin).with("measure", new MeasureSpec.For(length), origin);
    }

    /** The share of the capacity that a variant asks for; itself when it asks for none. */
    public static Variant of(Variant variant, double capacity, String origin) {
        if (!(variant.load().rate() instanceof RateSpec.OfCapacity part)) {
            return variant;
        }
        double rate = rounded(capacity * part.share().share());
        return at(variant, rate, origin);
    }

    /** As fast as it can be asked to go, where it asks for a share of a capacity that has a bound. */
    public static Variant atMost(Experiment experiment, Variant variant) {
        for (SearchSpec.Capacity search : experiment.capacities()) {
            double to = variant.load().senders().operations(search.to(), false);
            if (to > 0) {
                return of(variant, to, "search.capacity.to");
            }
        }
        return variant;
    }

    /** At so many operations per second, or as fast as it goes where that is infinite. */
    static Variant at(Variant variant, double perSecond, String origin) {
        RateSpec rate =
                Double.isInfinite(perSecond) ? new RateSpec.Max() : new RateSpec.Fixed(Rate.of(perSecond), false);
        return variant.with("load.rate", rate, origin);
    }

    /** So long that ten messages lie beyond the furthest percentile, but not for ever. */
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

    /** Four digits, as people would write it. */
    public static double rounded(double perSecond) {
        return new BigDecimal(perSecond).round(DIGITS).doubleValue();
    }
}
