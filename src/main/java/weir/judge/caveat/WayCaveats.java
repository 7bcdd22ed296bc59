package weir.judge.caveat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.plan.syntax.CaveatType;
import weir.results.value.NumberFormat;

/**
 * The caveats from the counts of processes on the events' path, warm-up and drain included.
 *
 * @param lost by the ledger of the measured phase; null where there is none
 */
record WayCaveats(
        CaveatCollector caveats,
        ProbeSeries readings,
        @Nullable Long lost) {
    private static final String DROPPED = "events.dropped";
    private static final String FILTERED = "events.filtered";

    private static final String FULL = "events.full";
    private static final List<String> PROCESSES = List.of("ingress", "channel", "filter", "source");

    void add() {
        long full = total(readings, FULL);
        caveats.addIf(full > 0, "", CaveatType.CHANNEL_FULL, full);
        long dropped = total(readings, DROPPED);
        if (dropped > 0) {
            long retried = total(readings, "events.retried");
            caveats.addAs("dropped", CaveatType.EVENTS_DROPPED, dropped, retried, ledger());
        }
        long filtered = total(readings, FILTERED);
        caveats.addIf(filtered > 0, "filtered", CaveatType.EVENTS_DROPPED, filtered, ledger());
    }

    private String ledger() {
        return "these counts include warm-up and drain; the ledger calls those lost that were due in the measured phase"
                + (lost == null ? "" : ": " + NumberFormat.count(lost));
    }

    static boolean tellsDrops(String metric) {
        return metric.equals(DROPPED) || metric.equals(FILTERED);
    }

    static long dropped(ProbeSeries readings) {
        return total(readings, DROPPED) + total(readings, FILTERED);
    }

    private static long total(ProbeSeries readings, String metric) {
        return PROCESSES.stream()
                .mapToLong(process -> readings.growth(process, metric, metric, 0, Double.MAX_VALUE)
                        .count())
                .sum();
    }
}
