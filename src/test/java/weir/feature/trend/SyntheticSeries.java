package weir.feature.trend;

import java.util.Random;

/** A history in which the truth is known: figures around 100, noisy in some way, with a step at some run or without. */
final class SyntheticSeries {
    /** The sort of noise; each has about the standard deviation that is asked for. */
    enum Noise {
        NORMAL,
        /** Student's t with three degrees of freedom. */
        HEAVY_TAILED,
        /** One run in twenty is worse by up to ten standard deviations more. */
        WITH_OUTLIERS,
        /** Half of a long tail to one side. */
        SKEWED,
        /** Each run resembles the one before it: autocorrelation 0.3. */
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

    /** As many runs, those from {@code at} on so many times as large. */
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
