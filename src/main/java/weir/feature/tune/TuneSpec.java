package weir.feature.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.feature.Features;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.Properties;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantOverlay;

/**
 * A search for the client settings on the Pareto front: no other settings are better in every figure.
 *
 * @param space values to try, by the path of the client property, in the order of the file
 * @param at the rate at which latencies are compared: fixed, or a share of the capacity with default settings
 * @param warmup the length of the warm-up in each trial of the search
 */
public record TuneSpec(
        String of, Map<String, List<String>> space, RateSpec at, Duration budget, Duration warmup, Duration measure)
        implements SearchSpec {
    public TuneSpec {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        space.forEach((path, values) -> copy.put(path, List.copyOf(values)));
        space = Collections.unmodifiableMap(copy);
    }

    static TuneSpec of(Tree.Section tune) {
        Tree.Section space = tune.section("space");
        Map<String, List<String>> values = new LinkedHashMap<>();
        space.entries().keySet().forEach(path -> values.put(path, space.texts(path)));
        return new TuneSpec(
                tune.text("of"),
                values,
                PaceSyntax.pace(tune.text("at")),
                tune.duration("budget"),
                tune.duration("warmup"),
                tune.duration("measure"));
    }

    /** Returns the length of the load at full speed that warms up the system before the first trial. */
    public Duration warmUpLength() {
        return measure.multipliedBy(3);
    }

    SortedMap<String, String> defaults(Variant variant) {
        SortedMap<String, String> defaults = new TreeMap<>();
        space.keySet().forEach(path -> {
            String name = TunedVariant.property(path);
            SortedMap<String, String> own = path.startsWith("load.producer.")
                    ? variant.load().producers().properties()
                    : variant.load().consumers().properties();
            Properties.Known known = Properties.known().get(name);
            String value = own.getOrDefault(name, known == null ? "" : known.fallback());
            List<String> listed = space.getOrDefault(path, List.of());
            boolean other = name.equals("acks") && !listed.contains(value);
            defaults.put(path, other && value.equals("all") ? "-1" : other && value.equals("-1") ? "all" : value);
        });
        return defaults;
    }

    /** The points of the goals, with the default for a value that the space lacks. */
    List<SortedMap<String, String>> goals(Variant variant) {
        List<SortedMap<String, String>> goals = new ArrayList<>();
        for (VariantOverlay overlay : Features.each(VariantOverlay.class)) {
            for (SortedMap<String, String> settings : overlay.clientSettings()) {
                SortedMap<String, String> point = defaults(variant);
                settings.forEach((path, value) -> {
                    if (space.getOrDefault(path, List.of()).contains(value)) {
                        point.put(path, value);
                    }
                });
                goals.add(point);
            }
        }
        return goals;
    }
}
