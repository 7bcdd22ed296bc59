package weir.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.read.ResolvedPlan;
import weir.plan.syntax.EnumNames;

/**
 * A variant's sending side alone, as fast as it goes and against nothing: what it reaches is the ceiling of the generator
 * itself, which a result is held against.
 */
public final class FullSpeedVariant {
    /** How long a ceiling takes, its worker's start included. */
    static final Duration TAKES = Duration.ofSeconds(9);

    /** Ceilings are worth their time only in a run that takes longer than this anyway. */
    private static final Duration WORTH = Duration.ofSeconds(60);

    private static final String WARMUP = "3s";
    private static final String MEASURE = "3s";

    /** A sink talks to everybody. */
    private static final List<String> ACCESS = List.of("security.", "sasl.", "ssl.");

    private FullSpeedVariant() {}

    /** Why a variant of this experiment has no ceiling; empty if it has one. */
    public static String none(Experiment experiment, Variant variant) {
        String none = none(variant);
        if (!none.isEmpty()) {
            return none;
        }
        if (experiment.shortened()) {
            return "not measured by --short";
        }
        return worth(experiment) ? "" : "not measured in a run of less than " + WORTH.toSeconds() + " s";
    }

    private static boolean worth(Experiment experiment) {
        return Estimate.ofTrials(experiment).time().compareTo(WORTH) >= 0;
    }

    private static String none(Variant variant) {
        if (variant.load().target() == LoadSpec.Target.NULL) {
            return "the target is null itself";
        }
        if (!sends(variant)) {
            return "nothing is sent";
        }
        if (variant.load().send() == LoadSpec.Engine.HTTP) {
            return "a null target speaks no HTTP";
        }
        if (variant.load().rate() instanceof RateSpec.AtATime loop && loop.operations() == 1) {
            return "one at a time waits for every answer";
        }
        return "";
    }

    static boolean sends(Variant variant) {
        return variant.load().workload() == LoadSpec.Workload.PRODUCE
                || variant.load().workload() == LoadSpec.Workload.DELIVER;
    }

    /** What is left out, beside the brokers, because a sink has no part in it; empty for nothing. */
    public static String without(Variant variant) {
        return variant.cluster().plaintext() ? "" : "without encryption and login";
    }

    public static Variant of(Variant variant) {
        ObjectNode root = sendingSide(variant);
        ObjectNode plan = (ObjectNode) root.path("plan");
        ((ObjectNode) plan.path("load")).put("rate", "max");
        plan.put("warmup", WARMUP);
        plan.put("measure", MEASURE);
        return ResolvedPlan.variant(root.toString());
    }

    /** All that sends, against a null target, with neither rate nor length of its own. */
    static ObjectNode sendingSide(Variant variant) {
        ObjectNode root = (ObjectNode) ResolvedPlan.json(variant.resolved());
        ObjectNode plan = (ObjectNode) root.path("plan");
        ObjectNode load = (ObjectNode) plan.path("load");
        load.put("workload", "produce");
        load.put("engine", EnumNames.of(variant.load().send()));
        load.put("target", "null");
        load.remove(List.of("backlog", "group", "transaction", "consumer", "within"));
        withoutAccess(load.path("producer"));
        plan.put("repeat", "1");
        plan.remove(List.of("bridge", "before", "during", "verify"));
        ObjectNode cluster = plan.putObject("cluster");
        ObjectNode client = cluster.putObject("client");
        variant.cluster().client().forEach(client::put);
        withoutAccess(client);
        plan.path("topics").forEach(topic -> ((ObjectNode) topic).remove(List.of("replication", "existing", "config")));
        root.putObject("gridPoint");
        root.put("variant", "alone");
        return root;
    }

    private static void withoutAccess(JsonNode properties) {
        if (properties instanceof ObjectNode map) {
            map.remove(map.properties().stream()
                    .map(Map.Entry::getKey)
                    .filter(name -> ACCESS.stream().anyMatch(name::startsWith))
                    .toList());
        }
    }

    /** How many ceilings a run has to find. */
    static long ceilings(Experiment experiment) {
        if (experiment.shortened() || !worth(experiment)) {
            return 0;
        }
        return experiment.variants().stream()
                .filter(variant -> none(variant).isEmpty())
                .map(FullSpeedVariant::sameness)
                .distinct()
                .count();
    }

    /** Variants of which this is the same have the same ceiling. */
    public static SortedMap<String, String> sameness(Variant variant) {
        SortedMap<String, String> values = new TreeMap<>(of(variant).values());
        values.remove("seed");
        return values;
    }
}
