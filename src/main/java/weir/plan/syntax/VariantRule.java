package weir.plan.syntax;

import java.util.function.UnaryOperator;
import weir.feature.Feature;

/** A rule that sets some values of a variant from its other values, after all overlays. */
public interface VariantRule extends Feature.Part, UnaryOperator<Tree.Section> {}
