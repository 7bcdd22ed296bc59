package weir.load.message;

import java.util.SplittableRandom;

/**
 * Random ranks 1 to n, where rank k has a probability proportional to {@code 1/k^s}. The distribution is exact, and a
 * draw takes constant time for any n. The method is rejection-inversion by Hörmann and Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions" (1996).
 */
final class Zipf {
    private final long distinct;
    private final double exponent;
    private final double areaOfFirst;
    private final double areaOfAll;
    private final double squeeze;

    Zipf(long distinct, double exponent) {
        this.distinct = distinct;
        this.exponent = exponent;
        this.areaOfFirst = area(1.5) - 1;
        this.areaOfAll = area(distinct + 0.5);
        this.squeeze = 2 - inverse(area(2.5) - height(2));
    }

    long next(SplittableRandom random) {
        while (true) {
            double u = areaOfAll + random.nextDouble() * (areaOfFirst - areaOfAll);
            double x = inverse(u);
            long rank = Math.max(1, Math.min(distinct, Math.round(x)));
            if (rank - x <= squeeze || u >= area(rank + 0.5) - height((double) rank)) {
                return rank;
            }
        }
    }

    private double height(double x) {
        return Math.exp(-exponent * Math.log(x));
    }

    private double area(double x) {
        double log = Math.log(x);
        double t = (1 - exponent) * log;
        return log * (Math.abs(t) < 1e-8 ? 1 + t / 2 : Math.expm1(t) / t);
    }

    private double inverse(double area) {
        double t = Math.max(-1, area * (1 - exponent));
        return Math.exp(area * (Math.abs(t) < 1e-8 ? 1 - t / 2 : Math.log1p(t) / t));
    }
}
