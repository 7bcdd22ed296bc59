package weir.feature.partitions;

import java.time.Duration;
import weir.plan.BacklogSpec;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.trial.FixedRateVariant;

/**
 * A variant with another number of partitions. Its numbers of producers and consumers are multiplied by this number,
 * but at most by {@value #MOST_LOADS}.
 */
public final class PartitionVariant {
    /** The most partitions in the test whether throughput grows in proportion. */
    public static final int MOST_LOADS = 8;

    /** The usual number of reads of a partition, of {@link #READ_SECONDS} each with the writing of its records. */
    static final int READS = 3;

    static final int READ_SECONDS = 7;

    /** The number of trials of that test: with one, two, four and eight partitions. */
    static final int LOADS = 4;

    static final int CARRIED = 3;

    public static final int MOST_READS = 8;

    public static final int MOST_CARRIED = 8;

    private static final String SEARCH = "search.partitions";

    private PartitionVariant() {}

    /** Returns one partition with its senders, or with the whole load if a limit needs readers. */
    public static Variant producing(Variant variant, PartitionsSpec asked) {
        Variant whole = loaded(variant, 1);
        Variant sending = sending(whole);
        boolean read = asked.limits().stream()
                .anyMatch(limit -> !limit.metric().lacking(sending).isEmpty());
        return read ? whole : sending;
    }

    public static Variant reading(Variant variant, long records) {
        Variant reading = loaded(variant.undisturbed().onSharedBrokers(SEARCH), 1, 1, 1);
        reading = set(reading, "load.workload", LoadSpec.Workload.CONSUME);
        reading = set(reading, "load.rate", new RateSpec.Max());
        reading = set(reading, "load.backlog", BacklogSpec.ofRecords(records));
        reading = set(reading, "load.group", GroupSpec.ASSIGNED);
        reading = set(reading, "load.transaction", new TransactionSpec.None());
        reading = set(reading, "warmup", new WarmupSpec.None());
        reading = set(reading, "measure", new MeasureSpec.Operations(records));
        return reading.with("verify", Verify.FALSE, SEARCH);
    }

    /** Returns the load of {@link #producing} on several partitions; an infinite rate stands for full speed. */
    public static Variant adding(Variant variant, PartitionsSpec asked, int partitions, double perSecond) {
        Variant one = producing(variant, asked);
        Variant all = loaded(variant, partitions);
        Variant load = one.load().workload() == variant.load().workload() ? all : sending(all);
        return FixedRateVariant.paced(load, asked.ofOne(one), perSecond, asked.measure());
    }

    public static Variant carrying(Variant variant, PartitionsSpec asked, int partitions, double perSecond) {
        Variant all = loaded(variant, partitions);
        Duration length = asked.trying();
        return FixedRateVariant.tried(all, asked.ofOne(all), perSecond, length);
    }

    private static Variant loaded(Variant variant, int partitions) {
        LoadSpec load = variant.load();
        int times = Math.min(partitions, MOST_LOADS);
        return loaded(
                variant,
                partitions,
                load.producers().count() * times,
                load.consumers().count() * times);
    }

    private static Variant loaded(Variant variant, int partitions, int producers, int consumers) {
        Variant loaded = set(set(variant, "load.producers", producers), "load.consumers", consumers);
        for (String topic : variant.usedTopics().keySet()) {
            loaded = set(loaded, "topics." + topic + ".partitions", partitions);
        }
        return loaded;
    }

    private static Variant sending(Variant variant) {
        Variant sending = set(variant, "load.workload", LoadSpec.Workload.PRODUCE);
        return set(sending, "load.backlog", BacklogSpec.NONE);
    }

    private static Variant set(Variant variant, String path, Object value) {
        Variant changed = variant.with(path, value, SEARCH);
        return changed.values().equals(variant.values()) ? variant : changed;
    }
}
