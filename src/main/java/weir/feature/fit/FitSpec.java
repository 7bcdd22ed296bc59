package weir.feature.fit;

import java.util.List;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Ratio;

/** A model that Weir fits to the trials. */
sealed interface FitSpec extends ModelSpec {
    /**
     * A model of the cost of a transaction: a constant, plus a cost per unit of each setting in {@code by}.
     *
     * @param of name of the part of a transaction whose time Weir fits
     * @param by paths of numeric settings; the first setting is the size of a transaction
     * @param overhead largest acceptable sum of all other costs, as a share of the first setting's cost
     */
    record Cost(String of, List<String> by, Ratio overhead, List<String> variants) implements FitSpec {
        public Cost {
            by = List.copyOf(by);
            variants = List.copyOf(variants);
        }
    }

    /**
     * The Universal Scalability Law of the rate, for each group of variants that differ in one setting only.
     *
     * @param scaling path of that setting, whose values are numbers of at least 1
     */
    record Scaling(String scaling, List<String> variants) implements FitSpec {
        public Scaling {
            variants = List.copyOf(variants);
        }
    }
}
