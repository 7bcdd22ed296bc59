package weir.plan;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A question that trials are chosen for. An empty {@code of} means the first variant, {@code each} every one. */
public sealed interface SearchSpec {
    String of();

    List<Expectation> limits();

    /** True when it chooses its trials by itself, before those of the list. */
    default boolean adaptive() {
        return !(this instanceof BreakingPoint);
    }

    /** The highest rate that it may try by itself; zero is no bound. */
    default Rate to() {
        return Rate.of(0);
    }

    /**
     * The highest fixed rate that holds the limits; a {@code to} of zero means no bound.
     *
     * @param warmup of each of its trials, as {@code measure} is
     */
    record Capacity(
            String of, List<Expectation> limits, Rate from, Rate to, Ratio precision, Duration warmup, Duration measure)
            implements SearchSpec {
        /** Operations per second at which it begins where nobody says, and nothing tells, what may hold. */
        public static final double BEGIN = 1_000;

        /** Trials that a search has at the most, beside those that confirm its answer. */
        public static final int MOST_TRIALS = 26;

        /** Trials that may be made to confirm an answer: each that is refused is followed by one at a lower rate. */
        public static final int MOST_CONFIRMATIONS = 5;

        /** Confirmations that may be repeated because they were disturbed; those after them count in any case. */
        public static final int MOST_DISTURBED = 3;

        /** The pause of the generator in a trial that confirms, as a share of a measured length: 500 ms of 5 s. */
        private static final int PAUSE_SHARE = 10;

        public Capacity {
            limits = List.copyOf(limits);
        }

        /** True when it begins with all that can be carried, or all that may be: only on brokers of our own. */
        public boolean heats(Variant variant) {
            return variant.cluster().ours()
                    && variant.load().target() == LoadSpec.Target.CLUSTER
                    && variant.load().workload() != LoadSpec.Workload.CONSUME;
        }

        /** How long it carries that. */
        public Duration heating() {
            return measure.multipliedBy(3);
        }

        /** How long the trial is measured that confirms the answer: 25 s, unless other lengths were asked for. */
        public Duration confirming() {
            return measure.multipliedBy(5);
        }

        /**
         * How long the generator stands still before the trial is measured that confirms the answer. What was due meanwhile
         * is due at once afterwards, and as long as {@link #settling} is there to work it off.
         */
        public Duration pause() {
            return measure.dividedBy(PAUSE_SHARE);
        }

        /** How long it then carries a part of it, as its trials will. */
        public Duration settling() {
            return measure.multipliedBy(2);
        }
    }

    /** The first step that does not hold; of variants whose rate has steps. */
    record BreakingPoint(String of, List<Expectation> limits) implements SearchSpec {
        public BreakingPoint {
            limits = List.copyOf(limits);
        }

        /** Returns the variants of an experiment that the search is for. */
        public List<Variant> asked(Experiment experiment) {
            return experiment.searched(this).stream()
                    .filter(variant -> !variant.load().rate().steps().isEmpty())
                    .toList();
        }

        /** The limits that the steps of a variant are held against. */
        public static List<Expectation> limits(Experiment experiment, Variant variant) {
            return experiment.searches().stream()
                    .filter(BreakingPoint.class::isInstance)
                    .map(BreakingPoint.class::cast)
                    .filter(search -> search.asked(experiment).contains(variant))
                    .flatMap(search -> search.limits().stream())
                    .toList();
        }
    }

    /**
     * How many partitions carry a rate.
     *
     * @param warmup of each of its trials, as {@code measure} is
     */
    record Partitions(String of, Rate target, List<Expectation> limits, Duration warmup, Duration measure)
            implements SearchSpec {
        /** How close the ends of what one partition takes must be. */
        private static final Ratio PRECISION = new Ratio(0.05);

        public Partitions {
            limits = List.copyOf(limits);
        }

        @Override
        public Rate to() {
            return target;
        }

        /** The search for the capacity of one partition, within those of its limits that a variant can be held against. */
        public Capacity ofOne(Variant variant) {
            List<Expectation> held = limits.stream()
                    .filter(limit -> limit.metric().lacking(variant).isEmpty())
                    .toList();
            return new Capacity(of, held, Rate.of(0), Rate.of(0), PRECISION, warmup, measure);
        }

        /** How long a number of partitions is tried with the whole load. */
        public Duration trying() {
            return measure.multipliedBy(3);
        }
    }

    /**
     * The settings of which none is beaten in everything by another.
     *
     * @param space the values that may be tried, by the path of a client property, in the order of the file
     * @param at the rate at which latencies are compared: fixed, or a share of what the defaults carry
     * @param budget the time that the whole search may take
     * @param warmup of each of its trials, as {@code measure} is
     */
    record Tune(
            String of, Map<String, List<String>> space, RateSpec at, Duration budget, Duration warmup, Duration measure)
            implements SearchSpec {
        public Tune {
            Map<String, List<String>> copy = new LinkedHashMap<>();
            space.forEach((path, values) -> copy.put(path, List.copyOf(values)));
            space = Collections.unmodifiableMap(copy);
        }

        @Override
        public List<Expectation> limits() {
            return List.of();
        }

        /** How long all that can be carried is carried before the first trial, so that nothing is cold. */
        public Duration heating() {
            return measure.multipliedBy(3);
        }
    }
}
