package weir.feature.tune;

import java.util.Collections;
import java.util.SortedMap;
import java.util.stream.Collectors;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.trial.FixedRateVariant;

/** A variant with other client settings, for a settings search. */
final class TunedVariant {
    private static final String SEARCH = "search.tune";

    private static final int LONGEST_LABEL = 120;

    private TunedVariant() {}

    /**
     * @param perSecond operations per second; infinite for full speed
     * @param verified true for trials of the finals, which read their records back
     */
    static Variant tried(
            Variant variant, TuneSpec search, SortedMap<String, String> settings, double perSecond, boolean verified) {
        Variant steady = FixedRateVariant.steady(variant, search.warmup(), search.measure(), SEARCH);
        Variant tried = FixedRateVariant.at(with(steady, settings), perSecond, SEARCH);
        return verified ? tried : tried.with("verify", Verify.FALSE, SEARCH);
    }

    static Variant warmUp(Variant variant, TuneSpec search, double most) {
        Variant tried = tried(variant, search, Collections.emptySortedMap(), most, false);
        return FixedRateVariant.timed(tried, new WarmupSpec.None(), search.warmUpLength(), SEARCH);
    }

    static Variant with(Variant variant, SortedMap<String, String> settings) {
        Variant changed = variant;
        for (var setting : settings.entrySet()) {
            changed = changed.with(setting.getKey(), setting.getValue(), SEARCH);
        }
        return settings.isEmpty()
                ? changed
                : changed.named(variant.name() + "/" + label(settings), variant.repeat(), SEARCH);
    }

    private static String label(SortedMap<String, String> settings) {
        String name = name(settings).replaceAll("[^A-Za-z0-9.,=_-]", "_");
        return name.length() <= LONGEST_LABEL ? name : name.substring(0, LONGEST_LABEL);
    }

    static String name(SortedMap<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> property(setting.getKey()) + "=" + setting.getValue())
                .collect(Collectors.joining(","));
    }

    static String property(String path) {
        return path.replaceFirst("^load\\.(producer|consumer)\\.", "");
    }
}
