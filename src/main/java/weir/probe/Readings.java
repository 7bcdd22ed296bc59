package weir.probe;

import java.io.IOException;

/**
 * Where a probe puts what it read.
 *
 * <p>Totals are as the source counts them, since whenever; their differences are taken here. A total that went backwards
 * gives nothing for that second.
 */
public interface Readings {
    void level(String metric, double value);

    /** A running total, shown as its growth per second. */
    void rate(String metric, double total);

    /** A running total, shown as its growth since it was read before. */
    void count(String metric, double total);

    /** Two running totals, shown as the mean of what was added since; nothing when nothing was. */
    void mean(String metric, double sum, double count);

    void absent(String metric, String why);

    /** There will never be anything to see again: all probes that are watched together with this one are dropped. */
    void gone(String why);

    /** Reads figures that come from one place and are absent together. */
    default void family(String metrics, Look look) {
        try {
            look.at();
        } catch (IOException | IllegalArgumentException e) {
            absent(metrics, Meter.reason(e));
        }
    }

    interface Look {
        void at() throws IOException;
    }
}
