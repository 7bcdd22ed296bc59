package weir.feature.shape;

/**
 * A Zipf distribution of keys with the same number of distinct keys in as many records, and with the same probability
 * that two records have the same key.
 *
 * @param distinct the number of keys, including keys that no record had
 */
record ZipfFit(long distinct, double exponent) {
    private static final double MOST_KEYS = 1e9;
    private static final double HIGHEST_EXPONENT = 4;
    /** The probability of a collision, compared with equally frequent keys, that a sample of such keys can have. */
    private static final double NEARLY_UNIFORM = 1.02;

    private static final int HALVINGS = 40;
    /** Each rank up to this one is summed alone; later ranks are summed in blocks that are 4% wide. */
    private static final int SINGLE_RANKS = 100;

    static ZipfFit of(KeySketch keys) {
        double collision = keys.collision();
        double uniform = distinct(0, keys);
        if (collision * uniform <= NEARLY_UNIFORM) {
            return new ZipfFit(Math.round(uniform), 0);
        }
        double low = 0;
        double high = HIGHEST_EXPONENT;
        for (int i = 0; i < HALVINGS / 2; i++) {
            double middle = (low + high) / 2;
            double distinct = distinct(middle, keys);
            if (sum(distinct, 2 * middle) / Math.pow(sum(distinct, middle), 2) < collision) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double exponent = Math.round(low * 100) / 100.0;
        return new ZipfFit(Math.round(distinct(exponent, keys)), exponent);
    }

    /** The number of keys of which {@code keys.records()} draws are expected to show {@code keys.distinct()}. */
    private static double distinct(double exponent, KeySketch keys) {
        double low = keys.distinct();
        double high = MOST_KEYS;
        for (int i = 0; i < HALVINGS && high > low * 1.0001; i++) {
            double middle = Math.sqrt(low * high);
            // Without the half, one more key would come from each rounding error.
            if (shown(middle, exponent, keys.records()) < keys.distinct() - 0.5) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double shown(double distinct, double exponent, long records) {
        double perWeight = records / sum(distinct, exponent);
        double shown = 0;
        for (double rank = 1; rank <= distinct; ) {
            double next = next(rank, distinct);
            double weight = weight(rank, next, exponent);
            shown += (next - rank) * -Math.expm1(-perWeight * weight);
            rank = next;
        }
        return shown;
    }

    /** The sum of 1/rank^exponent over all ranks. */
    private static double sum(double distinct, double exponent) {
        double sum = 0;
        for (double rank = 1; rank <= distinct; ) {
            double next = next(rank, distinct);
            sum += (next - rank) * weight(rank, next, exponent);
            rank = next;
        }
        return sum;
    }

    private static double next(double rank, double distinct) {
        return rank < SINGLE_RANKS ? rank + 1 : Math.min(Math.floor(rank * 1.04), Math.floor(distinct) + 1);
    }

    private static double weight(double rank, double next, double exponent) {
        return Math.pow((rank + next - 1) / 2, -exponent);
    }

    /** The share of records with one of this many most frequent keys. */
    double share(int top) {
        double keys = distinct;
        return sum(Math.min(top, keys), exponent) / sum(keys, exponent);
    }
}
