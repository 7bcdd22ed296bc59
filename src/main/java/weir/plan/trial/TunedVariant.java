package weir.plan.trial;

import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.stream.Collectors;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;

/** A variant with other client settings, as a search over settings tries it. */
public final class TunedVariant {
    private static final String SEARCH = "search.tune";

    private static final int LONGEST_LABEL = 120;

    private TunedVariant() {}

    /**
     * As fast as it goes, or as it may; only what answers is read back.
     *
     * @param most operations per second; infinite where nothing bounds them
     */
    public static Variant atFullSpeed(
            Variant variant,
            SearchSpec.Tune search,
            SortedMap<String, String> settings,
            double most,
            boolean verified) {
        if (Double.isFinite(most)) {
            return paced(variant, search, settings, most, verified);
        }
        return verified(tried(variant, search, settings).with(new RateSpec.Max(), "max", SEARCH), verified);
    }

    /** At a rate in operations per second, as when latencies are compared. */
    public static Variant paced(
            Variant variant,
            SearchSpec.Tune search,
            SortedMap<String, String> settings,
            double perSecond,
            boolean verified) {
        Rate rate = Rate.of(perSecond);
        return verified(
                tried(variant, search, settings).with(new RateSpec.Fixed(rate, false), rate.text(), SEARCH), verified);
    }

    /** As fast as it goes, so that nothing is cold. */
    public static Variant heated(Variant variant, SearchSpec.Tune search, double most) {
        return atFullSpeed(variant, search, Collections.emptySortedMap(), most, false)
                .with(new WarmupSpec.None(), search.heating(), SEARCH);
    }

    private static Variant verified(Variant variant, boolean verified) {
        return verified ? variant : variant.unverified(SEARCH);
    }

    private static Variant tried(Variant variant, SearchSpec.Tune search, SortedMap<String, String> settings) {
        WarmupSpec warmup = search.warmup().isZero() ? new WarmupSpec.None() : new WarmupSpec.For(search.warmup());
        Duration drain =
                FixedRateVariant.DRAIN.compareTo(variant.drain()) < 0 ? FixedRateVariant.DRAIN : variant.drain();
        Variant tried = variant.undisturbed()
                .onSharedBrokers(SEARCH)
                .with(warmup, search.measure(), SEARCH)
                .withDrain(drain, SEARCH);
        return with(tried, settings);
    }

    /** The variant with these settings, named by them. */
    public static Variant with(Variant variant, SortedMap<String, String> settings) {
        Variant changed = variant;
        for (var setting : settings.entrySet()) {
            changed = changed.withProperty(setting.getKey(), setting.getValue(), SEARCH);
        }
        return settings.isEmpty()
                ? changed
                : changed.with(variant.name() + "/" + label(settings), variant.repeat(), SEARCH);
    }

    /** The name, cut where it would be too long for that of a folder; the number of a trial tells two of them apart. */
    private static String label(SortedMap<String, String> settings) {
        String name = name(settings).replaceAll("[^A-Za-z0-9.,=_-]", "_");
        return name.length() <= LONGEST_LABEL ? name : name.substring(0, LONGEST_LABEL);
    }

    /** {@code batch.size=65536,linger.ms=20}. */
    public static String name(SortedMap<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> property(setting.getKey()) + "=" + setting.getValue())
                .collect(Collectors.joining(","));
    }

    /** The name of a property at the end of its path. */
    public static String property(String path) {
        return path.replaceFirst("^load\\.(producer|consumer)\\.", "");
    }
}
