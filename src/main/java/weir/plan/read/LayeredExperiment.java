package weir.plan.read;

import java.util.Collection;
import java.util.List;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;

/**
 * An experiment with everything laid over it: what is said once at the top, and each variant.
 *
 * @param names of all variants, also those that could not be made
 */
public record LayeredExperiment(Tree.Section top, List<String> names, List<Laid> laid) {
    /** A variant and the complete tree that it was made of. */
    public record Laid(Variant variant, Tree.Section tree) {}

    /** The name of the only variant of an experiment without variants. */
    static final String ONLY = "base";

    public static final Tree.Section PRESETS = Keys.table("presets.yaml");

    /**
     * Lays trees over a checked file and makes its variants.
     *
     * @param above what is laid over everything, the last one highest; checked
     */
    static LayeredExperiment of(Tree.Section file, List<Layer> above, Findings findings) {
        VariantTrees laying = new VariantTrees(file, above, findings);
        List<Laid> laid = laying.variants();
        Tree.Section top = file.only(BindExperiment.KEYS);
        for (Layer layer : above) {
            top = layer.only(BindExperiment.KEYS).over(top);
        }
        return new LayeredExperiment(top, laying.names(), laid);
    }

    /** The variants that a name stands for: itself, or every grid point of it. */
    public static List<String> points(String name, Collection<String> variants) {
        if (variants.contains(name)) {
            return List.of(name);
        }
        return variants.stream()
                .filter(variant -> variant.startsWith(name + "/"))
                .toList();
    }

    List<Variant> variants() {
        return laid.stream().map(Laid::variant).toList();
    }
}
