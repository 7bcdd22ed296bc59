package weir.report.block;

import java.util.Arrays;

/**
 * A reduction of a series to fewer points, for a chart that looks the same. Each group of seconds keeps its lowest and
 * its highest value in their order, so no peak is lost. An empty group remains a gap.
 *
 * @param first the second of the first value
 */
public record Downsampling(int first, int seconds, int points) {
    /** Returns the number of seconds of a pair of points; 1 if each second is a point. */
    public int stretch() {
        return seconds <= points ? 1 : (int) Math.ceil(2.0 * seconds / points);
    }

    public double[] times() {
        if (stretch() == 1) {
            double[] times = new double[seconds];
            Arrays.setAll(times, i -> first + i);
            return times;
        }
        double[] times = new double[2 * stretches()];
        for (int i = 0; i < stretches(); i++) {
            times[2 * i] = first + (double) i * stretch();
            times[2 * i + 1] = first + (i + 0.5) * stretch();
        }
        return times;
    }

    private int stretches() {
        return (seconds + stretch() - 1) / stretch();
    }

    public double[] of(double[] values) {
        if (stretch() == 1) {
            return values;
        }
        double[] kept = new double[2 * stretches()];
        for (int i = 0; i < stretches(); i++) {
            int low = -1;
            int high = -1;
            for (int at = i * stretch(); at < Math.min(values.length, (i + 1) * stretch()); at++) {
                if (!Double.isNaN(values[at])) {
                    low = low < 0 || values[at] < values[low] ? at : low;
                    high = high < 0 || values[at] > values[high] ? at : high;
                }
            }
            kept[2 * i] = low < 0 ? Double.NaN : values[Math.min(low, high)];
            kept[2 * i + 1] = low < 0 ? Double.NaN : values[Math.max(low, high)];
        }
        return kept;
    }
}
