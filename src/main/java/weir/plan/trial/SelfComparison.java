package weir.plan.trial;

import java.util.List;
import java.util.Map;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.Problems;
import weir.plan.RecordKeys;
import weir.plan.Variant;

/**
 * An experiment that compares its first variant with itself, so that every difference is noise. It omits the file's
 * expectations, searches and profiles. It has at least four repeats, the minimum for a verdict.
 */
public final class SelfComparison {
    public static final String AGAIN = "-again";

    private static final String NAME = "-a-a";
    private static final int LONGEST_NAME = 100;
    private static final int REPEATS = 4;

    private SelfComparison() {}

    public static Experiment of(Experiment experiment) {
        if (!experiment.missing().isEmpty()) {
            throw new Problems(experiment.missing());
        }
        Variant first = experiment.variants().get(0);
        if (experiment.onlySearched(first) || first.load().rate().ofCapacity()) {
            throw Problems.of(
                    "--a-a",
                    "skips the search, and variant '" + first.name() + "' has no rate without the search; set a rate,"
                            + " as in --set load.rate=10k/s");
        }
        // With another name, "the newest run of this name" stays the newest real answer.
        String name = experiment.name();
        Variant one = first.named(first.name(), Math.max(first.repeat(), REPEATS), "--a-a");
        return RecordKeys.with(
                experiment,
                Map.ofEntries(
                        Map.entry(
                                "name",
                                name.substring(0, Math.min(name.length(), LONGEST_NAME - NAME.length())) + NAME),
                        Map.entry("question", "How much does '" + first.name() + "' differ from itself here?"),
                        Map.entry("variants", List.of(one, one.named(first.name() + AGAIN, one.repeat(), "--a-a"))),
                        Map.entry("search", List.of()),
                        Map.entry("compare", List.of(new CompareSpec.Over(first.name() + AGAIN, first.name()))),
                        Map.entry("published", List.of()),
                        Map.entry("models", List.of()),
                        Map.entry("expect", List.of()),
                        Map.entry("extras", List.of()),
                        Map.entry("leftOut", List.of()),
                        Map.entry("unjudged", List.of())));
    }
}
