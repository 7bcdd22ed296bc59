package weir.feature.delivery;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.measure.Count;
import weir.plan.syntax.CaveatType;
import weir.results.TrialFolder;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The caveats from the counts of processes on the events' path, warm-up and drain included. */
final class DeliveryCaveats implements FeatureCaveats {
    private static final CaveatType CHANNEL_FULL = CaveatType.named("channel-full");
    private static final CaveatType EVENTS_DROPPED = CaveatType.named("events-dropped");

    private static final String DROPPED = "events.dropped";
    private static final String FILTERED = "events.filtered";

    private static final List<String> PROCESSES = List.of("ingress", "channel", "filter", "source");

    @Override
    public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
        if (!result.steps().isEmpty()) {
            add(files.readings(), result.figures().count(Count.LOST), caveats);
        }
    }

    /** The ledger of the measured phase counted {@code lost}; null if there is no ledger. */
    static void add(ProbeSeries readings, @Nullable Long lost, CaveatCollector caveats) {
        String ledger =
                "these counts include warm-up and drain; the ledger calls those lost that were due in the measured phase"
                        + (lost == null ? "" : ": " + NumberFormat.count(lost));
        long full = total(readings, "events.full");
        caveats.addIf(full > 0, "", CHANNEL_FULL, full);
        long dropped = total(readings, DROPPED);
        if (dropped > 0) {
            caveats.addAs("dropped", EVENTS_DROPPED, dropped, total(readings, "events.retried"), ledger);
        }
        long filtered = total(readings, FILTERED);
        caveats.addIf(filtered > 0, "filtered", EVENTS_DROPPED, filtered, ledger);
    }

    @Override
    public long dropped(TrialFolder folder) {
        ProbeSeries drops =
                ProbeSeries.of(folder, (source, metric) -> metric.equals(DROPPED) || metric.equals(FILTERED));
        return total(drops, DROPPED) + total(drops, FILTERED);
    }

    private static long total(ProbeSeries readings, String metric) {
        return PROCESSES.stream()
                .mapToLong(process -> readings.growth(process, metric, metric, 0, Double.MAX_VALUE)
                        .count())
                .sum();
    }
}
