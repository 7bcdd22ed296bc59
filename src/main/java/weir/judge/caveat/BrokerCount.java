package weir.judge.caveat;

import java.util.List;
import java.util.function.Supplier;
import weir.judge.ProbeSeries;
import weir.measure.Numbers;
import weir.results.value.NumberFormat;

/**
 * The records that came into a trial's topics in all phases, as the brokers and the ledger counted them.
 *
 * @param counted by all brokers, each for the partitions that it led
 * @param acked according to the ledger
 * @param sent according to the ledger
 */
public record BrokerCount(long counted, long acked, long sent) {
    public static final String SOURCE = "brokers";

    public static final String METRIC = "messages.in";

    private static final double TOLERANCE = 1e-3;

    public static boolean isPart(String source, String metric) {
        return source.equals(SOURCE) && metric.equals(METRIC);
    }

    /**
     * Empty if the brokers were not asked or did not answer.
     *
     * @param all the ledger's numbers, summed over all phases
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
     * True when the counts disagree: fewer records than acked, or more than sent plus duplicated. A record that was
     * sent but not acked may be in the topic or not.
     */
    public boolean differs(long duplicated) {
        return counted < acked * (1 - TOLERANCE) || counted > (sent + duplicated) * (1 + TOLERANCE);
    }

    public String text() {
        return "brokers counted " + NumberFormat.count(counted) + " records (MessagesIn), but" + " "
                + NumberFormat.count(acked) + " were acked, including warm-up and fill";
    }
}
