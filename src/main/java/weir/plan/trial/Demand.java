package weir.plan.trial;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import weir.plan.ClusterSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.Releases;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;

/** An estimate of the operations per second, records, bytes and time that one trial of a variant needs. */
public final class Demand {
    /** The usual rate of one machine with Kafka's client, an estimate for the rate {@code max}. */
    private static final double USUAL_BYTES_PER_SECOND = 200e6;

    private static final double USUAL_RECORDS_PER_SECOND = 300e3;

    private static final double USUAL_OTHER = 10e3;

    private static final double USUAL_OPERATION_SECONDS = 0.005;

    private static final double USUAL_TRANSACTION_SECONDS = 0.05;

    /** The most bytes of a record besides its value: key, headers, batch header. */
    private static final int OVERHEAD = 60;

    // Seconds of short forms on an idle machine of two cores. The script .ci/experiments compares each with its
    // estimate.
    private static final double CLUSTER = 1;
    private static final double NODE = 2.7;
    private static final double SINK = 1;
    /** The seconds around the load: worker start, topics, wait for a full second, end and judgement. */
    private static final double TRIAL = 2;

    private static final double WORKER = 0.5;
    /** The seconds to join a group and to create its coordinator's topic. */
    private static final double GROUP = 6;

    private static final double OTHER_DRAIN = 1.1;
    private static final double STRESS = 1;
    /** The usual limit of a warm-up until the load is steady, in seconds. */
    private static final double STEADY = 20;

    private static final double READ_BACK_PER_SECOND = 2e6;

    private final Variant variant;
    private final LoadSpec load;
    private final double highest;

    public Demand(Variant variant) {
        this.variant = variant;
        this.load = variant.load();
        this.highest = highest();
    }

    public static long records(Variant variant) {
        Set<String> used = new HashSet<>(variant.load().topics());
        return variant.load().workload() == LoadSpec.Workload.WRITE
                ? variant.topics().entrySet().stream()
                        .filter(topic -> used.contains(topic.getKey()))
                        .mapToLong(topic -> topic.getValue().count())
                        .sum()
                : 1;
    }

    Variant variant() {
        return variant;
    }

    double records() {
        return backlog() + (writes() ? sent() * records(variant) : 0);
    }

    double bytes(double records) {
        boolean discarded = toSink() || !variant.bridge().kept();
        return discarded ? 0 : records * (load.senders().meanBytes() + OVERHEAD) * replication();
    }

    /** The seconds of a trial, without the start of its cluster. */
    double seconds() {
        double warm = variant.warmup().untilSteady() ? Math.min(STEADY, warmup()) : warmup();
        return secondsAroundLoad() + backlog() / usual() + warm + measured() + readBack();
    }

    private double secondsAroundLoad() {
        boolean group = load.consumers().group().named()
                && (load.workload() == LoadSpec.Workload.DELIVER || load.workload() == LoadSpec.Workload.CONSUME);
        boolean other = load.producers().engine() == LoadSpec.Engine.OTHER;
        return TRIAL
                + WORKER * (load.processes() - 1)
                + (group ? GROUP : 0)
                + variant.bridge().startSeconds()
                + (other ? OTHER_DRAIN : 0)
                + (variant.during().values().stream()
                                .anyMatch(one -> !one.processes().isEmpty())
                        ? STRESS
                        : 0);
    }

    private double readBack() {
        boolean unread = load.workload() == LoadSpec.Workload.PRODUCE || load.workload() == LoadSpec.Workload.WRITE;
        // The records of a closed loop are only an estimate.
        boolean verified = unread && bounded() && !toSink() && variant.verify() != Verify.FALSE;
        return verified ? sent() * records(variant) / READ_BACK_PER_SECOND : 0;
    }

    double start() {
        if (toSink()) {
            return SINK;
        }
        ClusterSpec cluster = variant.cluster();
        if (!cluster.startedByWeir()) {
            return 0;
        }
        int zooKeepers = Releases.compare(cluster.kafka(), Releases.KRAFT) < 0 ? 1 : 0;
        return CLUSTER + NODE * (cluster.brokers().size() + cluster.dedicatedControllers() + zooKeepers);
    }

    /** True if the plan limits the number of records, independent of the speed of the machine. */
    boolean bounded() {
        boolean open = !load.rate().closed() && !load.rate().ofCapacity();
        return toSink() || open || !writes() || variant.measure().counted();
    }

    public boolean toSink() {
        return load.target() == LoadSpec.Target.NULL;
    }

    private boolean writes() {
        return load.workload() != LoadSpec.Workload.CONSUME;
    }

    public double assumed() {
        if (load.rate() instanceof RateSpec.AtATime loop) {
            double seconds = load.transaction().none() ? USUAL_OPERATION_SECONDS : USUAL_TRANSACTION_SECONDS;
            return Math.min(usual(), load.producers().count() * loop.operations() / seconds);
        }
        return usual();
    }

    /** The usual records per second of producers that never wait. One machine writes all replicas. */
    private double usual() {
        double alone = Math.min(
                USUAL_RECORDS_PER_SECOND,
                USUAL_BYTES_PER_SECOND / Math.max(1, load.senders().meanBytes()));
        return toSink() ? alone : alone / replication();
    }

    private double highest() {
        double highest = load.rate().readable() ? load.rate().highest(load.senders()) : Double.POSITIVE_INFINITY;
        return Double.isInfinite(highest) ? assumed() : highest;
    }

    private double sent() {
        double warm = variant.warmup().counted() ? variant.warmup().operations() : warmup() * highest;
        if (variant.measure().counted()) {
            return warm + variant.measure().operations();
        }
        return load.rate().timed() && load.rate().readable()
                ? warm
                        + load.rate().parts(load.senders()).stream()
                                .mapToDouble(RateSpec.Part::operations)
                                .sum()
                : warm + measured() * highest;
    }

    private double warmup() {
        WarmupSpec warmup = variant.warmup();
        return warmup.counted()
                ? warmup.operations() / highest
                : warmup.length().toNanos() / 1e9;
    }

    private double measured() {
        double carried = load.producers().engine() == LoadSpec.Engine.OTHER ? Math.min(highest, USUAL_OTHER) : highest;
        boolean settles = variant.measure() instanceof MeasureSpec.UntilSettled;
        return variant.measure().counted()
                ? variant.measure().operations() / carried
                : (settles ? variant.measure().usual() : length(variant)).toNanos() / 1e9;
    }

    /** The length of the measured phase; zero if only the run determines it. */
    public static Duration length(Variant variant) {
        RateSpec rate = variant.load().rate();
        boolean own = variant.measure().counted() || variant.measure().asLongAsRates();
        return own && rate.timed() && rate.readable()
                ? rate.length()
                : variant.measure().length();
    }

    double backlog() {
        return load.backlog().records()
                + load.backlog().size().bytes() / load.senders().meanBytes();
    }

    private int replication() {
        Set<String> used = new HashSet<>(load.topics());
        return variant.topics().entrySet().stream()
                .filter(topic -> used.contains(topic.getKey()))
                .mapToInt(topic -> topic.getValue().replication())
                .max()
                .orElse(1);
    }
}
