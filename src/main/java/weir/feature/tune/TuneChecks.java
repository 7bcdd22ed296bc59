package weir.feature.tune;

import java.time.Duration;
import java.util.List;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.check.EngineChecks;
import weir.plan.check.LayeredExperiment;
import weir.plan.check.Requirements;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;

/** Checks a search over settings: its space has alternatives, and its budget suffices. */
record TuneChecks(Tree.Section tune, Findings findings) {
    private static final String TUNE = "search.tune";

    void check(TuneSpec asked, List<LayeredExperiment.Laid> searched) {
        space(asked);
        at(asked);
        if (!findings.sound("search")) {
            return;
        }
        searched.forEach(laid -> variant(asked, laid));
    }

    private void space(TuneSpec asked) {
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

    private void at(TuneSpec asked) {
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

    private void variant(TuneSpec asked, LayeredExperiment.Laid laid) {
        Variant variant = laid.variant();
        String lacks = Requirements.lacking(TUNE, "", variant);
        if (!lacks.isEmpty()) {
            findings.add(tune, TUNE, "variant '" + variant.name() + "' " + lacks);
            return;
        }
        asked.space()
                .forEach((path, values) -> values.forEach(value -> {
                    String refused = EngineChecks.refused(variant.with(path, value, TUNE));
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

    private void place(String path, String message) {
        Tree.Section space = tune.section("space");
        Tree at = space.entries().getOrDefault(path, space);
        findings.add(space.places().getOrDefault(path, at.origin()), TUNE + ".space." + path, message);
    }
}
