package weir.search;

import java.util.Collection;
import java.util.List;
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

    /** The power of two by which what is twice as bad is less likely: machines are calmer than the worst of them. */
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
        List<Seen> seen = votes.stream().map(Seen::of).toList();
        double sum = 0;
        for (double spread : SPREADS) {
            double before = Math.pow(spread, -CALM);
            for (int i = 0; i < POINTS; i++) {
                double likelihood = before * likelihood(seen, from + i * step, spread);
                weights[i] += likelihood;
                sum += likelihood;
            }
        }
        for (int i = 0; i < POINTS; i++) {
            weights[i] /= sum;
        }
    }

    /**
     * The trials of one rate, and how likely they are, by how often trials go wrong, where it lies so far below or above the
     * capacity that nothing else counts.
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Seen(double logRate, int sustained, int refused, double[] below, double[] above) {
        /** So many spreads away a double tells no difference: e^-44 is nothing beside {@link #LUCK}. */
        static final double FAR = 44;

        static Seen of(AttemptVotes vote) {
            double[] below = new double[LAPSES.length];
            double[] above = new double[LAPSES.length];
            for (int k = 0; k < LAPSES.length; k++) {
                below[k] = likelihood(1, k, vote.sustained(), vote.refused());
                above[k] = likelihood(0, k, vote.sustained(), vote.refused());
            }
            return new Seen(Math.log(vote.rate()), vote.sustained(), vote.refused(), below, above);
        }
    }

    // No logarithms: a search has too few trials for the product to vanish.
    /** The likelihood of all tries, however often trials go wrong by themselves. */
    private static double likelihood(List<Seen> tries, double capacity, double spread) {
        double[] products = LIKELY.clone();
        for (Seen one : tries) {
            double away = (one.logRate - capacity) / spread;
            if (Math.abs(away) > Seen.FAR) {
                double[] known = away < 0 ? one.below : one.above;
                for (int k = 0; k < LAPSES.length; k++) {
                    products[k] *= known[k];
                }
            } else {
                double holds = 1 / (1 + Math.exp(away));
                for (int k = 0; k < LAPSES.length; k++) {
                    products[k] *= likelihood(holds, k, one.sustained, one.refused);
                }
            }
        }
        double sum = 0;
        for (double product : products) {
            sum += product;
        }
        return sum;
    }

    private static double likelihood(double holds, int k, int sustained, int refused) {
        double seen = LUCK + (1 - LUCK - LAPSES[k]) * holds;
        return power(seen, sustained) * power(1 - seen, refused);
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
