package weir.plan.read;

import java.util.Map;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** The broker half of a preset, which only a cluster that is started here can be given. */
final class PresetBrokers {
    private static final String CLUSTER = "cluster";
    private static final String BROKER = "broker";

    private PresetBrokers() {}

    /** Returns what a preset asks of the brokers of a variant, as far as nothing was laid over it. */
    static Tree.Section in(Tree.Section variant) {
        return part(variant, true);
    }

    /** The same variant without it. */
    static Tree.Section without(Tree.Section variant) {
        Tree.Section cluster = variant.section(CLUSTER);
        if (!cluster.has(BROKER)) {
            return variant;
        }
        Tree.Section kept = part(variant, false);
        return variant.with(CLUSTER, kept.entries().isEmpty() ? cluster.without(BROKER) : cluster.with(BROKER, kept));
    }

    private static Tree.Section part(Tree.Section variant, boolean preset) {
        Tree.Section broker = variant.section(CLUSTER).section(BROKER);
        Tree.Section part = new Tree.Section(Map.of(), broker.places(), broker.origin());
        for (Map.Entry<String, Tree> entry : broker.entries().entrySet()) {
            Origin origin = entry.getValue().origin();
            part = origin.preset() == preset ? part.with(entry.getKey(), entry.getValue()) : part;
        }
        return part;
    }
}
