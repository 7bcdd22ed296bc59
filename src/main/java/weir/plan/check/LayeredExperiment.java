package weir.plan.check;

import java.util.Collection;
import java.util.List;
import weir.plan.Variant;
import weir.plan.syntax.Tree;

/**
 * An experiment with everything laid over it: what is said once at the top, and each variant.
 *
 * @param names of all variants, also those that could not be made
 */
public record LayeredExperiment(Tree.Section top, List<String> names, List<Laid> laid) {
    /** A variant and the complete tree that it was made of. */
    public record Laid(Variant variant, Tree.Section tree) {}

    /** The variants that a name stands for: itself, or every grid point of it. */
    public static List<String> points(String name, Collection<String> variants) {
        if (variants.contains(name)) {
            return List.of(name);
        }
        return variants.stream()
                .filter(variant -> variant.startsWith(name + "/"))
                .toList();
    }

    public List<Variant> variants() {
        return laid.stream().map(Laid::variant).toList();
    }
}
