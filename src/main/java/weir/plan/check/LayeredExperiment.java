package weir.plan.check;

import java.util.Collection;
import java.util.List;
import weir.plan.Variant;
import weir.plan.syntax.Tree;

/**
 * The top-level keys and the variants of an experiment, after the overlays of file, short form and command line.
 *
 * @param names all variants, including those that could not be built because of mistakes
 */
public record LayeredExperiment(Tree.Section top, List<String> names, List<LayeredVariant> laid) {
    public record LayeredVariant(Variant variant, Tree.Section tree) {}

    /** The variant with this name, or all its grid points. */
    public static List<String> points(String name, Collection<String> variants) {
        if (variants.contains(name)) {
            return List.of(name);
        }
        return variants.stream()
                .filter(variant -> variant.startsWith(name + "/"))
                .toList();
    }

    public List<Variant> variants() {
        return laid.stream().map(LayeredVariant::variant).toList();
    }
}
