package weir.plan.check;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;

/** The largest allowed counts in an experiment. They limit the time and memory of the checks. */
public record ExperimentBounds(Findings findings) {
    /** The limit of every count: trials of a variant and of the experiment, topics, producers … */
    public static final int MOST = 10_000;

    public static final int MOST_VARIANTS = 1_000;
    public static final int MOST_VALUES = 100_000;
    public static final int LONGEST_CHAIN = 100;

    public static final int MOST_ENTRIES = 1_000;

    public static String entries(String what) {
        return "must be at most " + MOST_ENTRIES + " " + what;
    }

    public void check(List<LayeredExperiment.LayeredVariant> all) {
        long trials = 0;
        boolean reported = false;
        for (LayeredExperiment.LayeredVariant laid : all) {
            ProblemSpot spot = new ProblemSpot(laid.tree(), findings);
            topics(spot, laid.variant());
            trials += laid.variant().repeat();
            if (trials > MOST && !reported) {
                reported = true;
                spot.wrong(
                        "repeat",
                        "must be at most " + MOST + " trials in an experiment; variant '"
                                + laid.variant().name() + "' exceeds this limit");
            }
        }
    }

    private static void topics(ProblemSpot spot, Variant variant) {
        long count = 0;
        Map<String, String> measured = new LinkedHashMap<>();
        for (Map.Entry<String, TopicSpec> topic : variant.topics().entrySet()) {
            String name = topic.getKey();
            count += topic.getValue().count();
            if (count > MOST) {
                spot.wrong("topics." + name, "must be at most " + MOST + " topics in a variant; use fewer topics");
                return;
            }
            // Kafka replaces dots by underscores in metric names, and rejects topics that then have equal names.
            String other = measured.putIfAbsent(name.replace('.', '_'), name);
            if (other != null) {
                spot.wrong(
                        "topics." + name,
                        "Kafka cannot tell '" + name + "' from '" + other
                                + "', because Kafka's metrics write '.' as '_'; rename one of the two topics");
            }
        }
    }
}
