package weir.measure;

import java.util.Arrays;
import java.util.List;

/**
 * The result of a machine benchmark: a small piece of known work, done in a few rounds, shows how fast the machine is
 * now.
 *
 * @param moreIsBetter false if a round measures a time
 * @param least the smallest change that counts, as a share. It allows for short disturbances of the machine, because
 * of which two benchmarks a minute apart differ by more than the rounds of one benchmark.
 * @param rounds the result of each round, in the unit
 */
public record Canary(String name, String unit, boolean moreIsBetter, double least, List<Double> rounds) {
    public static final String ALL_CORES = "cpu, all cores";

    private static final double COVERAGE = 0.95;

    public Canary {
        rounds = List.copyOf(rounds);
        if (!(least > 0)) {
            throw new IllegalArgumentException("the smallest counted change must be above 0, found " + least);
        }
        if (rounds.isEmpty() || rounds.stream().anyMatch(round -> !Double.isFinite(round) || round <= 0)) {
            throw new IllegalArgumentException("a benchmark must have rounds, each above 0, found " + rounds);
        }
    }

    public boolean same(Canary work) {
        return name.equals(work.name) && unit.equals(work.unit) && moreIsBetter == work.moreIsBetter;
    }

    public double median() {
        return Median.of(sorted());
    }

    /** The lower end of the median's 95 % interval: one of the rounds, so that one outlier moves nothing. */
    public double low() {
        return sorted()[rank()];
    }

    public double high() {
        return sorted()[rounds.size() - 1 - rank()];
    }

    public double noise() {
        return (high() - low()) / 2 / median();
    }

    /** True when the intervals do not overlap and the medians differ by more than {@link #least}. */
    public boolean differs(Canary before) {
        boolean apart = low() > before.high() || high() < before.low();
        return apart && counts(before);
    }

    /** True when the medians differ by more than {@link #least}. */
    public boolean counts(Canary before) {
        return Math.max(median(), before.median()) > (1 + least) * Math.min(median(), before.median());
    }

    private double[] sorted() {
        return rounds.stream().mapToDouble(round -> round).sorted().toArray();
    }

    // Each round lies below the true median with probability one half. So the chance that the interval between two
    // ranks misses it is a sum of binomials, for any distribution of the rounds.
    private int rank() {
        int rounds = this.rounds.size();
        double[] row = {1};
        for (int n = 0; n < rounds; n++) {
            double[] next = Arrays.copyOf(row, row.length + 1);
            for (int i = 0; i < row.length; i++) {
                next[i + 1] += row[i];
            }
            row = next;
        }
        double all = Math.pow(2, rounds);
        double missed = 2 * row[0] / all;
        int rank = 0;
        while (2 * (rank + 1) < rounds) {
            missed += 2 * row[rank + 1] / all;
            if (missed > 1 - COVERAGE) {
                break;
            }
            rank++;
        }
        return rank;
    }
}
