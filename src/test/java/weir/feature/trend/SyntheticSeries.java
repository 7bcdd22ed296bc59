package weir.feature.trend;

import java.util.Random;

/** A history with a known truth: noisy figures around 100, with or without a step. */
final class SyntheticSeries {
    /** The kinds of noise. Each has about the requested standard deviation. */
    enum Noise {
        NORMAL,
        /** Student's t with three degrees of freedom. */
        HEAVY_TAILED,
        /** One run in twenty is worse by up to ten more standard deviations. */
        WITH_OUTLIERS,
        /** One half of a long tail. */
        SKEWED,
        /** Each run resembles the previous one: autocorrelation 0.3. */
        CORRELATED,
        /** Normal, on a level that rises by 3 % over 60 runs. */
        DRIFTING
    }

    private final Random random;
    private final Noise noise;
    private final double deviation;

    SyntheticSeries(long seed, Noise noise, double deviation) {
        random = new Random(seed);
        this.noise = noise;
        this.deviation = deviation;
    }

    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    double[] steady(int runs) {
        return stepped(runs, runs, 1);
    }

    /** Returns a series whose values from index {@code at} on are multiplied by {@code ratio}. */
    double[] stepped(int runs, int at, double ratio) {
        double[] values = new double[runs];
        double before = random.nextGaussian();
        for (int i = 0; i < runs; i++) {
            before = 0.3 * before + Math.sqrt(1 - 0.09) * random.nextGaussian();
            double off = switch (noise) {
                case NORMAL -> random.nextGaussian();
                case HEAVY_TAILED -> student() / Math.sqrt(3);
                case WITH_OUTLIERS ->
                    random.nextGaussian() + (random.nextDouble() < 0.05 ? 10 * random.nextDouble() : 0);
                case SKEWED ->
                    (Math.exp(0.6 * random.nextGaussian()) - Math.exp(0.18))
                            / Math.sqrt((Math.exp(0.36) - 1) * Math.exp(0.36));
                case CORRELATED -> before;
                case DRIFTING -> random.nextGaussian() + i * 0.0005 / deviation;
            };
            values[i] = 100 * Math.exp(deviation * off) * (i < at ? 1 : ratio);
        }
        return values;
    }

    private double student() {
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            double normal = random.nextGaussian();
            squares += normal * normal;
        }
        return random.nextGaussian() / Math.sqrt(squares / 3);
    }
}
