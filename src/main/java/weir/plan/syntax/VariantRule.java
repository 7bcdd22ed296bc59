package weir.plan.syntax;

import java.util.function.UnaryOperator;
import weir.feature.Feature;

/** A rule that sets values of a complete variant from its other values. */
public interface VariantRule extends Feature.Part, UnaryOperator<Tree.Section> {}
