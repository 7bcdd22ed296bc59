package weir.judge.caveat;

import java.util.List;
import java.util.function.Supplier;
import weir.judge.ProbeSeries;
import weir.measure.Numbers;
import weir.results.value.NumberFormat;

/**
 * The records that came into the topics of a trial, in all its phases, as the brokers counted them, and as its ledger did.
 *
 * @param counted by the brokers, each of the partitions that it led
 * @param acked of all phases, and {@code sent} of them
 */
public record BrokerCount(long counted, long acked, long sent) {
    public static final String SOURCE = "brokers";

    public static final String METRIC = "messages.in";

    /** A difference that is no larger shows nothing. */
    private static final double TOLERANCE = 1e-3;

    public static boolean isPart(String source, String metric) {
        return source.equals(SOURCE) && metric.equals(METRIC);
    }

    /**
     * None where the brokers were not asked, or did not answer.
     *
     * @param all the numbers of all phases together
     */
    public static List<BrokerCount> of(ProbeSeries readings, Supplier<Numbers> all) {
        double counted = readings.last(SOURCE, METRIC, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        if (Double.isNaN(counted)) {
            return List.of();
        }
        Numbers numbers = all.get();
        return List.of(new BrokerCount((long) counted, numbers.acked(), numbers.sent()));
    }

    /**
     * True when the counts do not fit each other: fewer than were acked, or more than were sent and then found twice. What was sent
     * and not acked may have come in or not.
     */
    public boolean differs(long duplicated) {
        return counted < acked * (1 - TOLERANCE) || counted > (sent + duplicated) * (1 + TOLERANCE);
    }

    public String text() {
        return "brokers counted " + NumberFormat.count(counted) + " (MessagesIn) where " + NumberFormat.count(acked)
                + " were acked, warm-up and fill included";
    }
}
