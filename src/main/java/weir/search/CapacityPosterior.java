package weir.search;

import java.util.Arrays;
import java.util.Collection;

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

    /** How often a rate above the capacity holds all the same. */
    private static final double LUCK = 0.002;

    private static final int POINTS = 200;

    /** Spreads above the capacity from where a rate is as good as never held. */
    private static final double FAR = 30;

    private final double from;
    private final double step;
    private final double[] weights = new double[POINTS];

    /** Between two rates, of which the capacity is believed to lie well inside. */
    CapacityPosterior(Collection<AttemptVotes> votes, double low, double high) {
        from = Math.log(low);
        step = (Math.log(high) - from) / (POINTS - 1);
        double sum = 0;
        for (double spread : SPREADS) {
            for (double[] likelihood : likelihoods(votes, spread)) {
                for (int i = 0; i < POINTS; i++) {
                    weights[i] += likelihood[i];
                    sum += likelihood[i];
                }
            }
        }
        for (int i = 0; i < POINTS; i++) {
            weights[i] /= sum;
        }
    }

    // No logarithms: a search has too few trials for the product to vanish.
    /** How likely all trials are at each capacity, for each share of them that goes wrong by itself. */
    private double[][] likelihoods(Collection<AttemptVotes> votes, double spread) {
        double[][] likelihoods = new double[LAPSES.length][POINTS];
        for (int k = 0; k < LAPSES.length; k++) {
            Arrays.fill(likelihoods[k], Math.pow(spread * LAPSES[k], -CALM));
        }
        for (AttemptVotes vote : votes) {
            double[] holds = holds(vote.rate(), spread);
            for (int k = 0; k < LAPSES.length; k++) {
                double slope = 1 - LUCK - LAPSES[k];
                for (int n = 0; n < vote.sustained(); n++) {
                    multiply(likelihoods[k], LUCK, slope, holds);
                }
                for (int n = 0; n < vote.refused(); n++) {
                    multiply(likelihoods[k], 1 - LUCK, -slope, holds);
                }
            }
        }
        return likelihoods;
    }

    /** The probability that a rate holds at each capacity, if nothing goes wrong by itself. */
    private double[] holds(double rate, double spread) {
        double[] holds = new double[POINTS];
        double away = (Math.log(rate) - from) / spread;
        double apart = step / spread;
        int first = (int) Math.max(0, Math.min(POINTS, Math.ceil((away - FAR) / apart)));
        // A product from point to point: an exponential for each would take most of the time.
        double odds = Math.exp(away - first * apart);
        double closer = Math.exp(-apart);
        for (int i = first; i < POINTS; i++) {
            holds[i] = 1 / (1 + odds);
            odds *= closer;
        }
        return holds;
    }

    private static void multiply(double[] likelihood, double luck, double slope, double[] holds) {
        for (int i = 0; i < POINTS; i++) {
            likelihood[i] *= luck + slope * holds[i];
        }
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
