package weir.results.value;

import java.util.Locale;

/** A rate of a trial or of one of its steps. */
public enum RateKind {
    OFFERED("offered/s"),
    ACKED("acked/s"),
    RECEIVED("received/s"),
    /** The growth of the log, by its end offsets. */
    APPENDED("appended/s"),
    MEBIBYTES("MiB/s");

    private final String metric;

    RateKind(String metric) {
        this.metric = metric;
    }

    /** The word in files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT) + "PerSecond";
    }

    /** The rate that a metric names. */
    public static RateKind of(String metric) {
        for (RateKind rate : values()) {
            if (rate.metric.equals(metric)) {
                return rate;
            }
        }
        throw new IllegalArgumentException("'" + metric + "' is no rate");
    }
}
