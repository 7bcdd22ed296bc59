package weir.feature.readers;

import java.time.Duration;
import weir.plan.DisturbanceSpec;
import weir.plan.LoadSpec;
import weir.plan.ReaderChange;
import weir.plan.Variant;
import weir.plan.WorkSpec;
import weir.plan.check.EngineChecks;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.ProblemSpot;
import weir.results.value.NumberFormat;
import weir.run.disturbance.Disturbance;
import weir.run.disturbance.DisturbanceKind;
import weir.run.disturbance.DisturbedTrial;

/** The disturbance {@code consumers}, and the checks of readers that work or change. */
final class ReaderChangeKind implements DisturbanceKind, VariantCheck {
    /** The largest quotient of p99 and mean of a log-normal distribution. */
    private static final double MOST_SPREAD = 14.9;

    private static final String MOST_RECORDS = "max.poll.records";
    private static final String MOST_TIME = "max.poll.interval.ms";
    private static final String LOCK_TIME = "group.share.record.lock.duration.ms";

    @Override
    public Class<? extends DisturbanceSpec> asked() {
        return ConsumersSpec.class;
    }

    @Override
    public Disturbance ready(String name, DisturbanceSpec asked, String host, DisturbedTrial trial) {
        ConsumersSpec change = (ConsumersSpec) asked;
        String some = change.number() == 1 ? "1 consumer " : change.number() + " consumers ";
        String does = change.joins()
                ? "joining"
                : switch (change.how()) {
                    case CLOSE -> "leaving";
                    case KILL -> "ending without leaving the group";
                    case PAUSE -> "standing still";
                };
        // The workers make the change themselves at this time.
        return Disturbance.of(some + does, () -> () -> {});
    }

    @Override
    public void check(ProblemSpot spot, Variant variant) {
        variant.during().forEach((name, what) -> {
            if (what instanceof ConsumersSpec change) {
                change(spot, variant, "during." + name, change);
            }
        });
        LoadSpec.Consumers readers = variant.load().consumers();
        WorkSpec work = readers.work();
        double spread = work.p99().toNanos() / (double) Math.max(1, work.mean().toNanos());
        if (!work.p99().isZero() && (spread <= 1 || spread > MOST_SPREAD)) {
            spot.wrong(
                    "load.work.p99",
                    "must be above mean and at most " + MOST_SPREAD + " × mean, which is the most of a log-normal"
                            + " distribution, found "
                            + NumberFormat.times(spread).replace("×", "") + " × mean");
        } else if (readers.group().named() && readers.threads().count() == 1 && !work.none()) {
            polling(spot, variant);
        }
        if (readers.group().named() && variant.load().workload() != LoadSpec.Workload.STREAM) {
            idle(spot, variant);
        }
    }

    private static void change(ProblemSpot spot, Variant variant, String path, ConsumersSpec change) {
        int readers = variant.load().consumers().count();
        if (!change.known()) {
            spot.wrong(
                    path + ".consumers",
                    "'" + change.consumers() + "' is no number of consumers; write +2 for consumers that join, or 2"
                            + " for consumers that leave");
        } else if (change.joins() && written(variant, path + ".how")) {
            spot.wrong(path + ".how", "has no effect on consumers that join; remove it");
        } else if (variant.during().values().stream()
                        .map(DisturbanceSpec::readers)
                        .mapToInt(ReaderChange::leaving)
                        .sum()
                > readers) {
            spot.wrong(
                    path + ".consumers",
                    "must leave at most the " + readers + " of load.consumers, found '" + change.consumers()
                            + "'; write consumers that join with a plus sign, such as +" + change.number());
        }
    }

    private static boolean written(Variant variant, String path) {
        return variant.settingsAt(path).anyMatch(setting -> !setting.origin().equals("default"));
    }

    /**
     * Checks that the work on the records of one poll ends before the group removes the consumer, or gives the records
     * to another member of the share group.
     */
    private static void polling(ProblemSpot spot, Variant variant) {
        LoadSpec.Consumers readers = variant.load().consumers();
        boolean shares = readers.group().shares();
        if (shares && !variant.cluster().startedByWeir()) {
            return;
        }
        String limit = shares ? LOCK_TIME : MOST_TIME;
        long records = EngineChecks.number(readers.properties(), MOST_RECORDS, 500);
        long most = shares
                ? EngineChecks.number(variant.cluster().broker(), LOCK_TIME, 30_000)
                : EngineChecks.number(readers.properties(), MOST_TIME, 300_000);
        Duration each = readers.work().each();
        double seconds = each.toNanos() / 1e9 * records;
        if (seconds * 1e3 >= most) {
            long fewer = (most - 1) * 1_000_000 / each.toNanos();
            spot.wrong(
                    "load.work",
                    records + " records of a poll (" + MOST_RECORDS + ") × " + NumberFormat.millis(each.toNanos() / 1e6)
                            + " take " + NumberFormat.number(seconds) + " s, but after "
                            + NumberFormat.number(most / 1e3)
                            + " s (" + limit + ") "
                            + (shares ? "the locks of the records end; " : "the group removes the consumer; ")
                            + (fewer > 0
                                    ? "write consumer: { " + MOST_RECORDS + ": " + fewer + " }"
                                    : "raise " + limit));
        }
    }

    private static void idle(ProblemSpot spot, Variant variant) {
        int partitions = ConsumersSearchSpec.partitions(variant);
        int readers = variant.load().consumers().count()
                + variant.during().values().stream()
                        .map(DisturbanceSpec::readers)
                        .mapToInt(ReaderChange::joining)
                        .sum();
        if (readers > partitions) {
            spot.remark((readers - partitions) + " of " + readers + " consumers stay idle: the group has " + partitions
                    + (partitions == 1 ? " partition" : " partitions") + ", and each partition has one reader");
        }
    }
}
