package weir.judge.caveat;

import java.util.List;
import java.util.function.Supplier;
import weir.judge.ProbeSeries;
import weir.measure.Numbers;
import weir.results.value.NumberFormat;

/**
 * The numbers of records of a trial's topics in all phases, from the brokers and from the ledger.
 *
 * @param counted sum over the brokers; each broker counts the records of partitions that it leads
 */
public record BrokerCount(long counted, long acked, long sent) {
    public static final String SOURCE = "brokers";

    public static final String METRIC = "messages.in";

    private static final double TOLERANCE = 1e-3;

    public static boolean isPart(String source, String metric) {
        return source.equals(SOURCE) && metric.equals(METRIC);
    }

    /** Empty if the brokers did not report. {@code all} are the ledger's numbers, summed over all phases. */
    public static List<BrokerCount> of(ProbeSeries readings, Supplier<Numbers> all) {
        double counted = readings.last(SOURCE, METRIC, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        if (Double.isNaN(counted)) {
            return List.of();
        }
        Numbers numbers = all.get();
        return List.of(new BrokerCount((long) counted, numbers.acked(), numbers.sent()));
    }

    /**
     * True for fewer counted than acked records, or more counted than sent plus duplicated records. A sent record
     * without an ack may be in the topic.
     */
    public boolean differs(long duplicated) {
        return counted < acked * (1 - TOLERANCE) || counted > (sent + duplicated) * (1 + TOLERANCE);
    }

    public String text() {
        return "brokers counted " + NumberFormat.count(counted) + " records (MessagesIn), but "
                + NumberFormat.count(acked) + " were acked, including warm-up and fill";
    }
}
