package weir.plan.check;

import java.util.List;
import weir.feature.Feature;
import weir.plan.Variant;
import weir.plan.syntax.Findings;
import weir.plan.syntax.ProblemSpot;

/** The checks of variants that a feature needs in addition to the rows of {@code keys.yaml}. */
public interface VariantCheck extends Feature.Part {
    void check(ProblemSpot spot, Variant variant);

    default void together(List<LayeredExperiment.LayeredVariant> all, Findings findings) {}
}
