package weir.judge.caveat;

import java.util.List;
import weir.judge.ProbeSeries;
import weir.plan.CaveatType;

/** The caveats that processes on the way of events tell by their counts, those of warm-up and drain included. */
record WayCaveats(CaveatCollector caveats, ProbeSeries readings) {
    private static final String DROPPED = "events.dropped";
    private static final String FILTERED = "events.filtered";

    private static final String FULL = "events.full";
    private static final List<String> PROCESSES = List.of("ingress", "channel", "filter", "source");

    void add() {
        long full = total(readings, FULL);
        if (full > 0) {
            caveats.add(
                    CaveatType.CHANNEL_FULL,
                    "%,d requests were answered 429, because as much was held as may be (bridge.memory)",
                    full);
        }
        long dropped = total(readings, DROPPED);
        if (dropped > 0) {
            caveats.add(
                    CaveatType.EVENTS_DROPPED,
                    "%,d events were given up, after %,d retries of all events, and nobody takes dead letters; the ledger calls"
                            + " them lost",
                    dropped,
                    total(readings, "events.retried"));
        }
        long filtered = total(readings, FILTERED);
        if (filtered > 0) {
            caveats.add(
                    CaveatType.EVENTS_DROPPED,
                    "%,d events were not wanted by the filter; the ledger calls them lost",
                    filtered);
        }
    }

    /** True for the readings of which {@link #dropped} is made. */
    static boolean tellsDrops(String metric) {
        return metric.equals(DROPPED) || metric.equals(FILTERED);
    }

    /** Events that were acked and on purpose not delivered. */
    static long dropped(ProbeSeries readings) {
        return total(readings, DROPPED) + total(readings, FILTERED);
    }

    /** A count of all processes together. */
    private static long total(ProbeSeries readings, String metric) {
        return PROCESSES.stream()
                .mapToLong(process -> readings.growth(process, metric, metric, 0, Double.MAX_VALUE)
                        .count())
                .sum();
    }
}
