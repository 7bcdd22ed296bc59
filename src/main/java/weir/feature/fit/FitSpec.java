package weir.feature.fit;

import java.util.List;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Ratio;

/** A model that is fitted to the trials. */
sealed interface FitSpec extends ModelSpec {
    /**
     * A model of the cost of a transaction: a constant, plus a cost for each unit that {@code by} counts.
     *
     * @param of the fitted part of a transaction
     * @param by paths of numeric settings; a longer transaction has more of the first one
     * @param overhead limit of the other costs, as a share of the first one's cost
     */
    record Cost(String of, List<String> by, Ratio overhead, List<String> variants) implements FitSpec {
        public Cost {
            by = List.copyOf(by);
            variants = List.copyOf(variants);
        }
    }

    /**
     * The Universal Scalability Law of the carried rate, for each group of variants that differ in one setting only.
     *
     * @param scaling path of that setting, a number of at least 1
     */
    record Scaling(String scaling, List<String> variants) implements FitSpec {
        public Scaling {
            variants = List.copyOf(variants);
        }
    }
}
