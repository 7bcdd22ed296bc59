package weir.feature.fit;

import java.util.List;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Ratio;

/** A model that is fitted to the trials. */
sealed interface FitSpec extends ModelSpec {
    /**
     * A model of the cost of a transaction: a constant, plus a cost for each unit that {@code by} counts.
     *
     * @param of the part of a transaction that is fitted
     * @param by paths of settings that are numbers; the first one is what a longer transaction has more of
     * @param overhead what may come on top of the first one's own cost
     */
    record Cost(String of, List<String> by, Ratio overhead, List<String> variants) implements FitSpec {
        public Cost {
            by = List.copyOf(by);
            variants = List.copyOf(variants);
        }
    }

    /**
     * The Universal Scalability Law of the carried rate, for each group of variants that differ in one setting
     * only.
     *
     * @param scaling the path of that setting, a number of 1 or more
     */
    record Scaling(String scaling, List<String> variants) implements FitSpec {
        public Scaling {
            variants = List.copyOf(variants);
        }
    }
}
