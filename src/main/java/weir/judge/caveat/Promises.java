package weir.judge.caveat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.measure.Atomicity;
import weir.measure.Count;
import weir.plan.property.Property;
import weir.results.PlannedTrial;
import weir.results.TrialFolder;
import weir.results.UnwritableDisk;
import weir.results.value.Event;
import weir.results.value.Figures;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * The promises that Kafka makes under the settings of a trial.
 *
 * @param calm whether no disturbance was requested
 * @param queued whether acked events may exist only in the memory of a gateway or a channel
 * @param safe whether each acked record is on two brokers, and only a broker with all acked records can become leader
 */
public record Promises(boolean calm, boolean queued, boolean safe, boolean idempotent) {
    private static final String TOPIC = "topic ";

    /** True if all promises were kept. A promise without evidence in the files counts as kept. */
    public static boolean kept(TrialFolder folder, TrialResult result) {
        TrialEnd end = folder.end();
        long deaths = folder.events().stream()
                .filter(event -> event.name().endsWith(Event.DIED) && !UnwritableDisk.reportedIn(event.text()))
                .count();
        long dropped = Features.each(FeatureCaveats.class).stream()
                .mapToLong(caveats -> caveats.dropped(folder))
                .sum();
        return of(folder.started().plan(), end == null ? List.of() : end.properties())
                .kept(deaths, dropped, result.figures());
    }

    /** Derives the promises of a trial. A path with at-least-once delivery may duplicate and reorder events. */
    static Promises of(PlannedTrial plan, List<Property> properties) {
        Promises promises = of(!plan.disturbed(), plan.queued(), properties);
        return plan.redelivers() ? new Promises(promises.calm, promises.queued, promises.safe, false) : promises;
    }

    static Promises of(boolean calm, boolean queued, List<Property> properties) {
        return new Promises(
                calm,
                queued,
                safe(properties),
                Property.effective(properties, "producer", "enable.idempotence").contains("true"));
    }

    /**
     * Checks the promises. Without a disturbance, no acked record is lost, and a broker dies only of a full disk. Safe
     * records survive every disturbance. An idempotent producer neither duplicates nor reorders. Events that the path
     * dropped do not count as lost.
     */
    boolean kept(long deaths, long dropped, Figures figures) {
        boolean lost = !queued && (safe || calm) && figures.orZero(Count.LOST) > dropped;
        boolean died = calm && deaths > 0;
        boolean mixed = idempotent && (some(figures.count(Count.DUPLICATED)) || some(figures.count(Count.REORDERED)));
        return !lost && !died && !mixed && whole(figures);
    }

    /** Transactions stay atomic in a disturbance. Streams without transactions lose nothing if undisturbed. */
    private boolean whole(Figures figures) {
        Atomicity found = figures.atomicity();
        if (found == null) {
            return true;
        }
        boolean unpaired = some(found.offsetsWithoutRecord());
        if (!found.transactional()) {
            return !(calm && unpaired);
        }
        return !unpaired
                && !some(found.abortedReads())
                && !some(found.torn())
                && !some(found.recordsWithoutOffset())
                && !some(found.writtenTwice());
    }

    private static boolean some(@Nullable Long count) {
        return count != null && count > 0;
    }

    /** False for an unknown topic and a single replica, because Kafka caps min.insync.replicas at the replicas. */
    private static boolean safe(List<Property> properties) {
        List<String> acks = Property.effective(properties, "producer", "acks");
        List<String> inSync = Property.effective(properties, TOPIC, "min.insync.replicas");
        List<String> replicas = Property.effective(properties, TOPIC, Property.REPLICATION);
        List<String> unclean = Property.effective(properties, TOPIC, "unclean.leader.election.enable");
        return (acks.contains("all") || acks.contains("-1"))
                && !inSync.isEmpty()
                && inSync.stream().noneMatch(Promises::alone)
                && replicas.size() == inSync.size()
                && replicas.stream().noneMatch(Promises::alone)
                && unclean.size() == inSync.size()
                && unclean.stream().allMatch("false"::equals);
    }

    private static boolean alone(String replicas) {
        return replicas.equals("0") || replicas.equals("1");
    }
}
