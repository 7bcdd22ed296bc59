package weir.plan.trial;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.plan.ClusterSpec;
import weir.plan.Experiment;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.Variant;

/**
 * The estimated size of a run. Records and bytes are upper limits over all trials, and bytes include every replica. If
 * a rate has no limit ({@code bounded} is false), both are estimates from {@code assumed} records per second. {@code
 * largest} is the bytes of the largest trial; of an unlimited trial, only its backlog counts.
 */
public record Estimate(
        int trials, Duration time, long records, long bytes, long largest, boolean bounded, double assumed) {
    private static final double RUN = 3;

    private static final double PROFILE = 2;

    /** The short time between two trials of a search, which share a warm worker. */
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);

    /**
     * The bytes of the report and of the machine's description. The next constants are bytes of a trial's logs, and of
     * the windows and readings of a second.
     */
    private static final long RUN_FILES = 3 << 19;

    private static final long TRIAL_FILES = 1 << 19;
    private static final long SECOND_FILES = 1 << 15;

    /** The time of the machine benchmarks before the first and after the last trial. Short runs omit them. */
    static final Duration CANARIES = Duration.ofSeconds(4);

    public long files() {
        return RUN_FILES + trials * TRIAL_FILES + time.toSeconds() * SECOND_FILES;
    }

    public static Estimate of(Experiment experiment) {
        Estimate trials = ofTrials(experiment);
        Duration ceilings = SendersAlone.CEILING.multipliedBy(SendersAlone.ceilings(experiment));
        Duration canaries = experiment.shortened() ? Duration.ZERO : CANARIES;
        Duration alone = ceilings.plus(SendersAlone.takes(experiment));
        return RecordKeys.with(trials, Map.of("time", trials.time().plus(alone).plus(canaries)));
    }

    static Estimate ofTrials(Experiment experiment) {
        Sum sum = new Sum();
        List<Trial> trials = Trials.of(experiment);
        sum.seconds += RUN;
        for (SearchSpec search : experiment.adaptive()) {
            for (Variant variant : experiment.searched(search)) {
                if (search instanceof SearchSpec.Capacity capacity) {
                    sum.add(capacity, variant);
                } else {
                    Features.search(search).estimate(search, variant, sum);
                }
            }
        }
        Map<String, Demand> demands = new HashMap<>();
        trials.forEach(trial -> sum.add(demands.computeIfAbsent(
                trial.variant().name(), name -> new Demand(FixedRateVariant.atMost(experiment, trial.variant())))));
        List<Trial> profiled = ExtraTrials.all(extra -> extra.of(experiment));
        profiled.forEach(trial -> sum.add(new Demand(FixedRateVariant.atMost(experiment, trial.variant()))));
        sum.seconds += PROFILE * profiled.size();
        return new Estimate(
                trials.size() + profiled.size(),
                Duration.ofSeconds(Math.round(sum.seconds)),
                whole(sum.records),
                whole(sum.bytes),
                whole(sum.largest),
                sum.bounded,
                new Demand(experiment.variants().get(0)).assumed());
    }

    private static long whole(double number) {
        return (long) Math.min(number, Long.MAX_VALUE / 2.0);
    }

    public static final class Sum {
        private double seconds;
        private double records;
        private double bytes;
        private double largest;
        private boolean bounded = true;
        private @Nullable ClusterSpec running;

        /**
         * Adds trials of a search.
         *
         * @param count the usual number of trials, which take {@code length} seconds together
         * @param written the most records of all trials
         * @param most the most records of one trial
         * @param limited true if the rates of all trials have a limit
         */
        public void add(Demand demand, int count, double length, double written, double most, boolean limited) {
            seconds += length + count * BETWEEN_TRIES.toSeconds();
            records += written;
            bytes += demand.bytes(written);
            largest = Math.max(largest, demand.bytes(most));
            bounded &= limited;
        }

        /** Adds the start of a cluster, unless the trial can use a running cluster. */
        public void start(Demand trial) {
            if (!trial.toSink()) {
                ClusterSpec wanted = trial.variant().cluster();
                seconds += wanted.freshEachTrial() || !wanted.equals(running) ? trial.start() : 0;
                running = wanted;
            }
        }

        private void add(Demand trial) {
            double written = trial.records();
            double size = trial.bytes(written);
            // Without a limit, only the backlog is certain.
            double certain = trial.bounded() ? size : size * trial.backlog() / Math.max(1, written);
            bounded &= trial.bounded();
            for (Variant load : trial.variant().furtherLoads()) {
                Demand further = new Demand(load);
                double more = further.bytes(further.records());
                written += further.records();
                size += more;
                certain += further.bounded() ? more : 0;
                bounded &= further.bounded();
            }
            start(trial);
            seconds += trial.seconds();
            records += written;
            bytes += size;
            largest = Math.max(largest, certain);
        }

        private void add(SearchSpec.Capacity search, Variant variant) {
            Demand demand = new Demand(variant);
            boolean ends = search.to().perSecond() > 0;
            double perSecond = ends ? variant.load().senders().operations(search.to(), false) : demand.assumed();
            bounded &= demand.toSink() || ends;
            if (variant.clusterChanged()) {
                add(new Demand(FixedRateVariant.operated(variant, perSecond)));
            }
            add(search, variant, perSecond, perSecond);
        }

        /**
         * Adds a search. In operations per second, {@code fastest} is the rate of warming up, and {@code perSecond} the
         * highest rate of its trials.
         */
        public void add(SearchSpec.Capacity search, Variant variant, double perSecond, double fastest) {
            Demand demand = new Demand(variant.onSharedBrokers("search"));
            // A trial at a low rate takes longer.
            Duration measured = FixedRateVariant.length(search, perSecond, search.measure());
            double length = search.warmup().plus(measured).toMillis() / 1e3;
            double written = length * perSecond * Demand.records(variant);
            double heating = search.warmsUp(variant)
                    ? search.warmUpLength().plus(search.settling()).toMillis() / 1e3
                    : 0;
            // The warm-up writes as many records as this number of trials.
            double heats = heating / length * fastest / perSecond;
            double confirming = FixedRateVariant.recovering(search)
                            .plus(search.confirming())
                            .toMillis()
                    / 1e3;
            double most = SearchSpec.Capacity.MOST_TRIALS
                    + heats
                    + (SearchSpec.Capacity.MOST_CONFIRMATIONS + SearchSpec.Capacity.MOST_DISTURBED)
                            * confirming
                            / length;
            start(demand);
            seconds += heating
                    + usual(search, perSecond, heating > 0) * (length + BETWEEN_TRIES.toSeconds())
                    + confirming
                    + BETWEEN_TRIES.toSeconds();
            records += most * written;
            bytes += most * demand.bytes(written);
            largest = Math.max(largest, Math.max(confirming / length, heats) * demand.bytes(written));
        }

        /** The usual number of trials of a search: raise the rate until it fails, halve the gap, and confirm. */
        private static double usual(SearchSpec.Capacity search, double highest, boolean heated) {
            double rise = heated ? 2 : 4;
            double from = search.from().perSecond();
            double begin = from > 0 ? from : SearchSpec.Capacity.BEGIN;
            double rises = heated ? 2 : Math.max(0, Math.ceil(Math.log(highest / begin) / Math.log(rise)));
            double gaps = Math.log(rise) / Math.log1p(0.7 * search.precision().share());
            double halves = Math.max(0, Math.floor(Math.log(gaps) / Math.log(2)));
            double sure = 3 + Math.min(3, halves);
            return rises + halves + sure;
        }
    }
}
