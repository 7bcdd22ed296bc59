package weir.plan;

import java.time.Duration;
import java.util.List;

/** A question that decides which trials run. {@code of} is a variant or {@code each}; empty for the first variant. */
public interface SearchSpec {
    String of();

    /** True if some of its trials read a backlog at full speed. */
    default boolean readsAtFullSpeed() {
        return false;
    }

    /** The highest rate of the search; zero means no limit. */
    default Rate to() {
        return Rate.of(0);
    }

    /**
     * The highest fixed rate that keeps the limits. A {@code to} of zero means no limit.
     *
     * @param warmup length in each trial of the search, like {@code measure}
     */
    record Capacity(
            String of, List<Expectation> limits, Rate from, Rate to, Ratio precision, Duration warmup, Duration measure)
            implements SearchSpec {
        public static final double BEGIN = 1_000;

        /** The limit of trials of a search, without confirming trials. */
        public static final int MOST_TRIALS = 26;

        /** The limit of confirming trials. After a failed confirmation, the search confirms a lower rate. */
        public static final int MOST_CONFIRMATIONS = 5;

        /** The limit of repeated confirmations after a disturbance. Later confirmations count even if disturbed. */
        public static final int MOST_DISTURBED = 3;

        /** The measured length divided by the generator's pause in a confirming trial: 500 ms of 5 s. */
        private static final int PAUSE_SHARE = 10;

        public Capacity {
            limits = List.copyOf(limits);
        }

        /** True if the search begins with a trial at full speed or at its limit; false for an external cluster. */
        public boolean warmsUp(Variant variant) {
            return variant.cluster().startedByWeir()
                    && variant.load().target() == LoadSpec.Target.CLUSTER
                    && variant.load().workload() != LoadSpec.Workload.CONSUME;
        }

        public Duration warmUpLength() {
            return measure.multipliedBy(3);
        }

        /** The measured length of the confirming trial: 25 s by default. */
        public Duration confirming() {
            return measure.multipliedBy(5);
        }

        /**
         * The generator's pause before the measured part of a confirming trial. After the pause, all missed operations
         * are due together; {@link #settling} is the time to process them.
         */
        public Duration pause() {
            return measure.dividedBy(PAUSE_SHARE);
        }

        /** The unmeasured time at the likely rate after warming up, and at the rate of the trial after a pause. */
        public Duration settling() {
            return measure.multipliedBy(2);
        }
    }

    /** A search for the first step that breaks the limits, for variants whose rate has steps. */
    record BreakingPoint(String of, List<Expectation> limits) implements SearchSpec {
        public BreakingPoint {
            limits = List.copyOf(limits);
        }

        public List<Variant> asked(Experiment experiment) {
            return experiment.searched(this).stream()
                    .filter(variant -> !variant.load().rate().steps().isEmpty())
                    .toList();
        }

        public static List<Expectation> limits(Experiment experiment, Variant variant) {
            return experiment.searches().stream()
                    .filter(BreakingPoint.class::isInstance)
                    .map(BreakingPoint.class::cast)
                    .filter(search -> search.asked(experiment).contains(variant))
                    .flatMap(search -> search.limits().stream())
                    .toList();
        }
    }
}
