package weir.feature.profile;

/**
 * The conversion from the weights of a profile to the cost of one record, with its random error.
 *
 * @param perWeight cost per record that one unit of weight stands for
 * @param sample typical weight of a sample: {@code Σw² / Σw} over the weights w of all samples
 */
public record ProfileScale(double perWeight, double sample) {
    /** The standard deviations above which a difference is reported. Chance exceeds them once in 370 cases. */
    public static final double BEYOND = 3;

    private static final double MICROS = 1e6;

    public ProfileScale {
        if (!(perWeight >= 0) || !(sample > 0)) {
            throw new IllegalArgumentException("a sample must cost more than 0, found " + perWeight + " × " + sample);
        }
    }

    /**
     * Returns the scale of a profile.
     *
     * @param perUnit seconds or bytes in one unit of weight
     * @param sample {@code Σw² / Σw}, because durations of waits differ much
     * @param records number of records carried in the {@code seconds} of the profile
     */
    public static ProfileScale of(
            ProfileSpec.Event event, double perUnit, double sample, double records, double seconds) {
        double divided = event == ProfileSpec.Event.WALL ? seconds : records;
        double scale = event == ProfileSpec.Event.CPU || event == ProfileSpec.Event.LOCK ? MICROS : 1;
        if (!(divided > 0)) {
            throw new IllegalArgumentException("a cost needs records and time, found " + records + " in " + seconds);
        }
        return new ProfileScale(perUnit * scale / divided, sample);
    }

    /** Returns the scale for weights that are not a cost per record. Only their shares have a meaning. */
    public static ProfileScale bare(double sample) {
        return new ProfileScale(1, sample);
    }

    public static String unit(ProfileSpec.Event event) {
        return switch (event) {
            case CPU -> "µs of CPU per record";
            case ALLOC -> "bytes allocated per record";
            case LOCK -> "µs of waiting for locks per record";
            case WALL -> "threads";
        };
    }

    public double cost(long weight) {
        return weight * perWeight;
    }

    /** The number of samples has a Poisson distribution. Zero samples count as one. */
    private double variance(long weight) {
        return perWeight * perWeight * sample * Math.max((double) weight, sample);
    }

    public boolean differs(long weight, ProfileScale other, long weightThere) {
        double difference = cost(weight) - other.cost(weightThere);
        return Math.abs(difference) > BEYOND * Math.sqrt(variance(weight) + other.variance(weightThere));
    }
}
