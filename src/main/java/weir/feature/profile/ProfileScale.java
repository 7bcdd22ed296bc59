package weir.feature.profile;

/**
 * The conversion from a profile's weights to the cost of one record, and its chance error.
 *
 * @param perWeight cost of one unit of weight
 * @param sample weight of a sample, weighted by itself: Σw² / Σw
 */
public record ProfileScale(double perWeight, double sample) {
    /** Standard deviations of a difference that chance exceeds once in 370 cases. */
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
     * @param sample weight of a sample, weighted by itself because waits differ much
     * @param records carried during the profile, which lasted {@code seconds}
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

    /** The scale of weights without a cost, whose shares alone are meaningful. */
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

    /** The variance of a Poisson count. A count of 0 counts as 1. */
    private double variance(long weight) {
        return perWeight * perWeight * sample * Math.max((double) weight, sample);
    }

    public boolean differs(long weight, ProfileScale other, long weightThere) {
        double difference = cost(weight) - other.cost(weightThere);
        return Math.abs(difference) > BEYOND * Math.sqrt(variance(weight) + other.variance(weightThere));
    }
}
