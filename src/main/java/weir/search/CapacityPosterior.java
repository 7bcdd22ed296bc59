package weir.search;

import java.util.Collection;
import java.util.stream.DoubleStream;

/**
 * Where the capacity is, as far as all tries of a search tell. A trial at rate r holds with probability
 * 1 / (1 + (r / c)^(1 / s)), but for those that go wrong by themselves; c is the capacity, s how much the machine wanders
 * from trial to trial. Nothing of this is known: before the first trial every c of the span, on a scale of ratios, is as
 * likely as any other; spreads reach from a fifth of a percent to a quarter, and of a hundred trials one to thirty may go
 * wrong, each the likelier the less it is (Bayes' rule on a grid). So trials that contradict each other widen the interval
 * by what they show of the noise, and trials that agree narrow it.
 */
final class CapacityPosterior {
    private static final double[] SPREADS = {0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256};

    /** How often a trial goes wrong whatever the rate. */
    private static final double[] LAPSES = {0.01, 0.03, 0.1, 0.3};

    /** What is twice as bad is less likely by this power of two: machines are calmer than the worst of them. */
    private static final double CALM = 0.3;

    private static final double[] LIKELY =
            DoubleStream.of(LAPSES).map(lapses -> Math.pow(lapses, -CALM)).toArray();

    /** How often a rate above the capacity holds all the same. */
    private static final double LUCK = 0.002;

    private static final int POINTS = 200;

    private final double from;
    private final double step;
    private final double[] weights = new double[POINTS];

    /** Between two rates, of which the capacity is believed to lie well inside. */
    CapacityPosterior(Collection<AttemptVotes> votes, double low, double high) {
        from = Math.log(low);
        step = (Math.log(high) - from) / (POINTS - 1);
        double sum = 0;
        for (double spread : SPREADS) {
            double before = Math.pow(spread, -CALM);
            for (int i = 0; i < POINTS; i++) {
                double likelihood = before * likelihood(votes, from + i * step, spread);
                weights[i] += likelihood;
                sum += likelihood;
            }
        }
        for (int i = 0; i < POINTS; i++) {
            weights[i] /= sum;
        }
    }

    // No logarithms: a search has too few trials for the product to vanish.
    /** Of all tries, however often trials go wrong by themselves. */
    private static double likelihood(Collection<AttemptVotes> votes, double capacity, double spread) {
        double[] products = LIKELY.clone();
        for (AttemptVotes vote : votes) {
            double holds = 1 / (1 + Math.exp((Math.log(vote.rate()) - capacity) / spread));
            for (int k = 0; k < LAPSES.length; k++) {
                double seen = LUCK + (1 - LUCK - LAPSES[k]) * holds;
                products[k] *= power(seen, vote.sustained()) * power(1 - seen, vote.refused());
            }
        }
        double sum = 0;
        for (double product : products) {
            sum += product;
        }
        return sum;
    }

    private static double power(double base, int exponent) {
        double power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= base;
        }
        return power;
    }

    /** The rate below which the capacity lies with this probability. */
    double quantile(double probability) {
        double below = 0;
        for (int i = 0; i < POINTS; i++) {
            if (below + weights[i] >= probability) {
                return Math.exp(from + (i + (probability - below) / weights[i] - 0.5) * step);
            }
            below += weights[i];
        }
        return Math.exp(from + (POINTS - 1) * step);
    }
}
