package weir.results.value;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import weir.measure.Count;

/** A kind of rate, and the counts from which Weir calculates the rate of a window. */
public enum RateKind {
    OFFERED("offered/s", 1, Count.DUE),
    ACKED("acked/s", 1, Count.ACKED),
    RECEIVED("received/s", 1, Count.RECEIVED),
    /** The growth of the log, from the brokers' end offsets. Windows do not contain it. */
    APPENDED("appended/s", 1),
    MEBIBYTES("MiB/s", 1 << 20, Count.BYTES_ACKED, Count.BYTES_RECEIVED),
    OPERATIONS("operations/s", 1);

    public static final List<RateKind> OF_MESSAGES = List.of(OFFERED, ACKED, RECEIVED, APPENDED, MEBIBYTES);

    private final String metric;
    private final double unit;

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<Count> counts;

    RateKind(String metric, double unit, Count... counts) {
        this.metric = metric;
        this.unit = unit;
        this.counts = List.of(counts);
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT) + "PerSecond";
    }

    public static RateKind of(String metric) {
        for (RateKind rate : values()) {
            if (rate.metric.equals(metric)) {
                return rate;
            }
        }
        throw new IllegalArgumentException("'" + metric + "' is not a rate");
    }

    /** The amount of the first of its counts that is not 0; NaN if windows do not contain these counts. */
    public double amount(ToDoubleFunction<Count> windows) {
        return counts.isEmpty()
                ? Double.NaN
                : counts.stream()
                                .mapToDouble(windows)
                                .filter(count -> count > 0)
                                .findFirst()
                                .orElse(0)
                        / unit;
    }
}
