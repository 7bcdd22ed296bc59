package weir.judge.profile;

import weir.plan.ProfileSpec;

/**
 * The way from the weights of a profile to its cost for one record, and how far that is chance.
 *
 * @param perWeight the cost of one unit of weight
 * @param sample the weight of a sample, weighted by itself: Σw² / Σw
 */
public record ProfileScale(double perWeight, double sample) {
    /** Standard deviations beyond which a difference is hardly chance: one in 370 where nothing differs. */
    public static final double BEYOND = 3;

    private static final double MICROS = 1e6;

    public ProfileScale {
        if (!(perWeight >= 0) || !(sample > 0)) {
            throw new IllegalArgumentException(perWeight + " per unit of weight, and samples of " + sample);
        }
    }

    /**
     * The scale of a profile.
     *
     * @param perUnit seconds or bytes of one unit of weight
     * @param sample the weight of a sample, weighted by itself, as waits differ much
     * @param records that were carried while it was looked at, in so many seconds
     */
    public static ProfileScale of(
            ProfileSpec.Event event, double perUnit, double sample, double records, double seconds) {
        double divided = event == ProfileSpec.Event.WALL ? seconds : records;
        double scale = event == ProfileSpec.Event.CPU || event == ProfileSpec.Event.LOCK ? MICROS : 1;
        if (!(divided > 0)) {
            throw new IllegalArgumentException("a cost of " + records + " records in " + seconds + " seconds");
        }
        return new ProfileScale(perUnit * scale / divided, sample);
    }

    /** The scale of weights that stand for nothing else, so that only their shares say something. */
    public static ProfileScale bare(double sample) {
        return new ProfileScale(1, sample);
    }

    public static String unit(ProfileSpec.Event event) {
        return switch (event) {
            case CPU -> "µs of CPU per record";
            case ALLOC -> "bytes allocated per record";
            case LOCK -> "µs waited for locks per record";
            case WALL -> "threads";
        };
    }

    public double cost(long weight) {
        return weight * perWeight;
    }

    /** Counts of samples vary as those of Poisson do; one that is 0 could as well have been 1. */
    private double variance(long weight) {
        return perWeight * perWeight * sample * Math.max((double) weight, sample);
    }

    /** True when a weight here differs from one of another profile by more than chance. */
    public boolean differs(long weight, ProfileScale other, long weightThere) {
        double difference = cost(weight) - other.cost(weightThere);
        return Math.abs(difference) > BEYOND * Math.sqrt(variance(weight) + other.variance(weightThere));
    }
}
