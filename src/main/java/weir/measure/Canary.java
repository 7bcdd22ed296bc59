package weir.measure;

import java.util.List;

/**
 * The result of a machine benchmark. A few rounds of a small, known piece of work show how fast the machine is now.
 *
 * @param moreIsBetter false if a round measures a time
 * @param least the smallest change that counts, as a share; short disturbances cause only smaller changes
 * @param rounds the result of each round, in {@code unit}
 */
public record Canary(String name, String unit, boolean moreIsBetter, double least, List<Double> rounds) {
    public static final String ALL_CORES = "cpu, all cores";

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

    /** The lower end of the median's 95 % interval. It is one of the rounds, so that one outlier has no effect. */
    public double low() {
        return sorted()[Median.outside(rounds.size())];
    }

    public double high() {
        return sorted()[rounds.size() - 1 - Median.outside(rounds.size())];
    }

    public double noise() {
        return (high() - low()) / 2 / median();
    }

    /** True if the intervals do not overlap and the medians differ by more than {@link #least}. */
    public boolean differs(Canary before) {
        boolean apart = low() > before.high() || high() < before.low();
        return apart && counts(before);
    }

    /** True if the medians differ by more than {@link #least}. */
    public boolean counts(Canary before) {
        return Math.max(median(), before.median()) > (1 + least) * Math.min(median(), before.median());
    }

    private double[] sorted() {
        return rounds.stream().mapToDouble(round -> round).sorted().toArray();
    }
}
