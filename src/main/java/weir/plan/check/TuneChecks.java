package weir.plan.check;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.feature.Feature;
import weir.feature.Features;
import weir.plan.LoadSpec;
import weir.plan.Problem;
import weir.plan.RateSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.property.Properties;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Origin;
import weir.plan.syntax.PaceSyntax;
import weir.plan.syntax.ProblemSpot;
import weir.plan.syntax.Tree;
import weir.plan.syntax.VariantOverlay;
import weir.plan.trial.TuneBudget;
import weir.plan.trial.TunedVariant;

/** Checks a search over settings: its space has alternatives, and its budget suffices. */
public record TuneChecks(Tree.Section tune, Findings findings) {
    private static final String TUNE = "search.tune";

    public static SearchSpec.Tune asked(Tree.Section tune) {
        Tree.Section space = tune.section("space");
        Map<String, List<String>> values = new LinkedHashMap<>();
        space.entries().keySet().forEach(path -> values.put(path, space.texts(path)));
        return new SearchSpec.Tune(
                tune.text("of"),
                values,
                PaceSyntax.pace(tune.text("at")),
                tune.duration("budget"),
                tune.duration("warmup"),
                tune.duration("measure"));
    }

    void check(SearchSpec.Tune asked, List<LayeredExperiment.Laid> searched) {
        space(asked);
        at(asked);
        if (!findings.sound("search")) {
            return;
        }
        searched.forEach(laid -> variant(asked, laid));
    }

    private void space(SearchSpec.Tune asked) {
        if (asked.space().isEmpty()) {
            findings.add(
                    tune,
                    TUNE + ".space",
                    "is empty; write at least one property with two values, such as load.producer.linger.ms: [0, 10]");
        }
        asked.space().forEach((path, values) -> {
            if (values.size() < 2) {
                place(
                        path,
                        "has nothing to choose from but '" + values.get(0)
                                + "'; write at least two values, or set it in the variant");
            } else if (values.stream().distinct().count() < values.size()) {
                place(path, "has a value twice");
            }
        });
    }

    private void at(SearchSpec.Tune asked) {
        boolean share = asked.at() instanceof RateSpec.OfCapacity c
                && c.share().share() > 0
                && c.share().share() < 1;
        boolean fixed = asked.at() instanceof RateSpec.Fixed f && f.rate().perSecond() > 0;
        if (!share && !fixed) {
            findings.add(
                    tune,
                    TUNE + ".at",
                    "latencies are compared at one rate that all can carry; write a share below all, such as 50% of"
                            + " capacity, or a rate such as 20k/s");
        }
    }

    private void variant(SearchSpec.Tune asked, LayeredExperiment.Laid laid) {
        Variant variant = laid.variant();
        String lacks = Requirements.lacking(TUNE, "", variant);
        if (!lacks.isEmpty()) {
            findings.add(tune, TUNE, "variant '" + variant.name() + "' " + lacks);
            return;
        }
        asked.space()
                .forEach((path, values) -> values.forEach(value -> {
                    String refused = refused(variant.with(path, value, TUNE));
                    if (!refused.isEmpty()) {
                        place(path, "'" + value + "': " + refused);
                    }
                }));
        if (variant.load().workload() == LoadSpec.Workload.PRODUCE) {
            asked.space().keySet().stream()
                    .filter(path -> path.startsWith("load.consumer."))
                    .forEach(path ->
                            place(path, "variant '" + variant.name() + "' has no consumers; write workload: deliver"));
        }
        long points =
                asked.space().values().stream().mapToLong(List::size).reduce(1, (x, y) -> Math.min(x * y, 1 << 20));
        TuneBudget budget = new TuneBudget(asked, points);
        if (!budget.suffices()) {
            findings.add(
                    tune,
                    TUNE + ".budget",
                    "'" + text(asked.budget()) + "' is too short: to try " + Math.min(points, 6)
                            + " points and then measure the defaults and two of them four times takes "
                            + text(Duration.ofSeconds((long) Math.ceil(budget.least())))
                            + "; write at least that, or shorten the trials by measure and warmup");
        }
    }

    private static String text(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds % 60 == 0 || seconds > 600 ? (seconds + 59) / 60 + "m" : seconds + "s";
    }

    /** The reason why a client rejects a variant's combination of properties; empty if it accepts them. */
    public static String refused(Variant variant) {
        Findings scratch = new Findings();
        Tree.Section nothing = Tree.Section.empty(Origin.unwritten(""));
        ProblemSpot spot = new ProblemSpot(nothing, scratch);
        new Requirements(spot, variant).check();
        new EngineChecks(spot, variant.load(), variant).check();
        return scratch.list().stream().findFirst().map(Problem::message).orElse("");
    }

    /** The values of the space by path; numbers ascend. */
    public static Map<String, List<String>> axes(SearchSpec.Tune asked) {
        Map<String, List<String>> axes = new LinkedHashMap<>();
        asked.space().forEach((path, values) -> {
            List<String> sorted = new ArrayList<>(values);
            if (scale(values)) {
                sorted.sort((a, b) -> new BigDecimal(a).compareTo(new BigDecimal(b)));
            }
            axes.put(path, sorted);
        });
        return axes;
    }

    public static boolean scale(List<String> values) {
        return values.stream().allMatch(value -> value.matches("-?[0-9]{1,18}(\\.[0-9]{1,9})?"));
    }

    public static SortedMap<String, String> defaults(SearchSpec.Tune asked, Variant variant) {
        SortedMap<String, String> defaults = new TreeMap<>();
        asked.space().keySet().forEach(path -> {
            String name = TunedVariant.property(path);
            SortedMap<String, String> own = path.startsWith("load.producer.")
                    ? variant.load().producers().properties()
                    : variant.load().consumers().properties();
            Properties.Known known = Properties.known().get(name);
            String value = own.getOrDefault(name, known == null ? "" : known.fallback());
            List<String> listed = asked.space().getOrDefault(path, List.of());
            boolean other = name.equals("acks") && !listed.contains(value);
            defaults.put(path, other && value.equals("all") ? "-1" : other && value.equals("-1") ? "all" : value);
        });
        return defaults;
    }

    /** The points of the overlays: the values of each where the space lists them, and the defaults elsewhere. */
    public static List<SortedMap<String, String>> goals(SearchSpec.Tune asked, Variant variant) {
        List<SortedMap<String, String>> goals = new ArrayList<>();
        for (VariantOverlay overlay : Features.each(Feature::variantOverlays)) {
            for (SortedMap<String, String> settings : overlay.clientSettings()) {
                SortedMap<String, String> point = defaults(asked, variant);
                settings.forEach((path, value) -> {
                    if (asked.space().getOrDefault(path, List.of()).contains(value)) {
                        point.put(path, value);
                    }
                });
                goals.add(point);
            }
        }
        return goals;
    }

    private void place(String path, String message) {
        Tree.Section space = tune.section("space");
        Tree at = space.entries().getOrDefault(path, space);
        findings.add(space.places().getOrDefault(path, at.origin()), TUNE + ".space." + path, message);
    }
}
