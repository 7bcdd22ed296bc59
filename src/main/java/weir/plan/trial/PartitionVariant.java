package weir.plan.trial;

import java.time.Duration;
import weir.plan.LoadSpec;
import weir.plan.SearchSpec;
import weir.plan.Variant;

/**
 * A variant with another number of partitions, as a search for partitions tries it. What one partition is loaded with grows
 * with the number: so many times the producers and the consumers, up to {@value #MOST_LOADS} times.
 */
public final class PartitionVariant {
    /** The largest number of partitions at which it is tested whether they add. */
    public static final int MOST_LOADS = 8;

    /** Reads of a partition, and how long one of them takes with the writing of its records. */
    static final int READS = 3;

    static final int READ_SECONDS = 7;

    /** Loads that show whether partitions add: of one, two, four and eight. */
    static final int LOADS = 4;

    /** Trials with the whole load, usually. */
    static final int CARRIED = 3;

    /** Reads after which a consumer that has read nothing will not. */
    public static final int MOST_READS = 8;

    /** Trials with the whole load: numbers that contradict the calculation are followed so far. */
    public static final int MOST_CARRIED = 8;

    private static final String SEARCH = "search.partitions";

    private PartitionVariant() {}

    /**
     * One partition and what sends to it, or the whole load where a limit needs somebody who reads: so what a partition takes
     * is not more than it takes within its limits.
     */
    public static Variant producing(Variant variant, SearchSpec.Partitions asked) {
        Variant whole = loaded(variant, 1);
        Variant sending = whole.on(1, whole.load().sending(), SEARCH);
        boolean read = asked.limits().stream()
                .anyMatch(limit -> !limit.metric().lacking(sending).isEmpty());
        return read ? whole : sending;
    }

    /** One consumer that reads one partition, as many records as there are. */
    public static Variant reading(Variant variant, long records) {
        return variant.undisturbed()
                .onSharedBrokers(SEARCH)
                .on(1, variant.load().sized(1, 1).reading(records), SEARCH)
                .measuring(records, SEARCH)
                .unverified(SEARCH);
    }

    /** The load of {@link #producing} for so many partitions, at a rate, or as fast as it goes where that is infinite. */
    public static Variant adding(Variant variant, SearchSpec.Partitions asked, int partitions, double perSecond) {
        Variant one = producing(variant, asked);
        Variant all = loaded(variant, partitions);
        LoadSpec load = one.load().workload() == variant.load().workload()
                ? all.load()
                : all.load().sending();
        return FixedRateVariant.paced(all.on(partitions, load, SEARCH), asked.ofOne(one), perSecond, asked.measure());
    }

    /** The whole load on so many partitions, at the rate that they are to carry. */
    public static Variant carrying(Variant variant, SearchSpec.Partitions asked, int partitions, double perSecond) {
        Variant all = loaded(variant, partitions);
        Duration length = asked.trying();
        return FixedRateVariant.tried(all, asked.ofOne(all), perSecond, length);
    }

    private static Variant loaded(Variant variant, int partitions) {
        LoadSpec load = variant.load();
        int times = Math.min(partitions, MOST_LOADS);
        return variant.on(
                partitions,
                load.sized(load.producers().count() * times, load.consumers().count() * times),
                SEARCH);
    }
}
