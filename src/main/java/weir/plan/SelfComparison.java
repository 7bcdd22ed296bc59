package weir.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import weir.plan.read.ResolvedPlan;
import weir.plan.syntax.Problem;
import weir.plan.syntax.Problems;

/**
 * An experiment that compares its first variant with the very same: whatever differs is noise. What the file expects,
 * searches and profiles is left out, and a verdict takes at least four repeats.
 */
public final class SelfComparison {
    /** What the second of the two is called more than the first. */
    public static final String AGAIN = "-again";

    private static final String NAME = "-a-a";
    private static final int LONGEST_NAME = 100;
    private static final int REPEATS = 4;

    private SelfComparison() {}

    public static Experiment of(Experiment experiment) {
        if (!experiment.missing().isEmpty()) {
            throw new Problems(experiment.missing());
        }
        ObjectNode root = (ObjectNode) ResolvedPlan.json(experiment.resolved());
        Variant first = experiment.variants().get(0);
        if (experiment.onlySearched(first) || first.load().rate() instanceof RateSpec.OfCapacity) {
            throw new Problems(List.of(Problem.of(
                    "--a-a",
                    "leaves the search out, and variant '" + first.name()
                            + "' has no rate without it; give it one, as in --set load.rate=10k/s")));
        }
        ObjectNode plan = plan(root);
        // Under a name of its own, so that "the newest of this name" stays the newest real answer.
        String name = experiment.name();
        plan.put("name", name.substring(0, Math.min(name.length(), LONGEST_NAME - NAME.length())) + NAME);
        plan.put("question", "How much does '" + first.name() + "' differ from itself here?");
        plan.remove(List.of("search", "profile", "expect", "published", "fit"));
        plan.putArray("compare").add(first.name() + AGAIN + " / " + first.name());
        ArrayNode variants = root.putArray("variants");
        for (String end : List.of("", AGAIN)) {
            ObjectNode variant = (ObjectNode) ResolvedPlan.json(first.resolved());
            variant.put("variant", first.name() + end);
            if (first.repeat() < REPEATS) {
                plan(variant).put("repeat", String.valueOf(REPEATS));
                ((ObjectNode) variant.path("origins")).put("repeat", "--a-a");
            }
            variants.add(variant);
        }
        return ResolvedPlan.experiment(root.toString());
    }

    private static ObjectNode plan(JsonNode root) {
        return (ObjectNode) root.path("plan");
    }
}
