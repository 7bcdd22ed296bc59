package weir.plan;

import java.time.Duration;
import java.util.List;

/**
 * A question that decides which trials run. An empty {@code of} means the first variant, and {@code each} means every
 * variant.
 */
public interface SearchSpec {
    String of();

    default List<Expectation> limits() {
        return List.of();
    }

    /** True if the search chooses its own trials, which run before the listed ones. */
    default boolean adaptive() {
        return !(this instanceof BreakingPoint);
    }

    /** True if some of its trials read a backlog as fast as the cluster delivers it. */
    default boolean readsAtFullSpeed() {
        return false;
    }

    /** The highest rate that the search may try; zero means no bound. */
    default Rate to() {
        return Rate.of(0);
    }

    /**
     * The highest fixed rate that holds the limits; a {@code to} of zero means no bound.
     *
     * @param warmup length in each trial of the search, like {@code measure}
     */
    record Capacity(
            String of, List<Expectation> limits, Rate from, Rate to, Ratio precision, Duration warmup, Duration measure)
            implements SearchSpec {
        public static final double BEGIN = 1_000;

        /** The maximum number of trials of a search; trials that confirm its answer come in addition. */
        public static final int MOST_TRIALS = 26;

        /** The maximum number of confirming trials; after each failed one the search confirms a lower rate. */
        public static final int MOST_CONFIRMATIONS = 5;

        /**
         * The maximum number of confirmations repeated because of a disturbance; later ones count even if disturbed.
         */
        public static final int MOST_DISTURBED = 3;

        /** The measured length divided by the generator's pause in a confirming trial: 500 ms of 5 s. */
        private static final int PAUSE_SHARE = 10;

        public Capacity {
            limits = List.copyOf(limits);
        }

        /** True if the search begins with a trial at full speed or at its bound; only on our own brokers. */
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
         * The length of the generator's pause before the measured part of a confirming trial. After the pause, all
         * operations missed in it become due together; {@link #settling} is the time to process them.
         */
        public Duration pause() {
            return measure.dividedBy(PAUSE_SHARE);
        }

        /** The unmeasured time at the likely rate after heating, and at the rate of the trial after a pause. */
        public Duration settling() {
            return measure.multipliedBy(2);
        }
    }

    /** The search for the first step that breaks the limits, for variants whose rate has steps. */
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
