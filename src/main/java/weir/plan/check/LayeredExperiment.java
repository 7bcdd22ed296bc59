package weir.plan.check;

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

    public List<Variant> variants() {
        return laid.stream().map(LayeredVariant::variant).toList();
    }
}
