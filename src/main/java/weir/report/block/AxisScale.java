package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import weir.results.value.NumberFormat;

/** A mapping of values to places from 0 to 1 on an axis, and its ticks. */
public sealed interface AxisScale {
    double low();

    double high();

    record Tick(double value, String label) {}

    double at(double value);

    List<Tick> ticks();

    record Linear(double low, double high) implements AxisScale {
        @Override
        public double at(double value) {
            return (value - low) / (high - low);
        }

        @Override
        public List<Tick> ticks() {
            double step = step();
            List<Tick> ticks = new ArrayList<>();
            for (double v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step) {
                double value = Math.abs(v) < step * 1e-6 ? 0 : v;
                ticks.add(new Tick(value, NumberFormat.number(value)));
            }
            return ticks;
        }

        private double step() {
            double raw = (high - low) / 5;
            double power = Math.pow(10, Math.floor(Math.log10(raw)));
            double digit = raw / power;
            return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
        }
    }

    /** A linear scale with given ticks, such as days or names. */
    record Named(double low, double high, List<Tick> ticks) implements AxisScale {
        public Named {
            ticks = List.copyOf(ticks);
        }

        /** Returns a scale with one column for each name. The middle of column i is at i + 0.5. */
        public static Named columns(List<String> names) {
            return new Named(
                    0,
                    names.size(),
                    IntStream.range(0, names.size())
                            .mapToObj(i -> new Tick(i + 0.5, names.get(i)))
                            .toList());
        }

        @Override
        public double at(double value) {
            return (value - low) / (high - low);
        }
    }

    record Log(double low, double high) implements AxisScale {
        private static final double[] FINE = {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9};

        @Override
        public double at(double value) {
            return value > 0 ? Math.log(value / low) / Math.log(high / low) : Double.NEGATIVE_INFINITY;
        }

        @Override
        public List<Tick> ticks() {
            List<Tick> ticks = new ArrayList<>();
            double decades = Math.log10(high / low);
            double[] digits = decades > 4
                    ? new double[] {1}
                    : decades > 1.6 ? new double[] {1, 3} : decades > 0.7 ? new double[] {1, 2, 5} : FINE;
            for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
                for (double digit : digits) {
                    double value = digit * power;
                    if (value >= low * 0.999 && value <= high * 1.001) {
                        ticks.add(new Tick(value, NumberFormat.number(value)));
                    }
                }
            }
            return ticks;
        }
    }

    /** A scale for percentiles by the share above them: 90, 99 and 99.9 have equal distances. */
    record Tail(double highest) implements AxisScale {
        @Override
        public double low() {
            return 0;
        }

        @Override
        public double high() {
            return highest;
        }

        @Override
        public double at(double percentile) {
            return nines(Math.min(percentile, highest)) / nines(highest);
        }

        @Override
        public List<Tick> ticks() {
            List<Tick> ticks = new ArrayList<>();
            for (double percentile : new double[] {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999}) {
                if (percentile <= highest) {
                    ticks.add(new Tick(percentile, Table.percentile(percentile)));
                }
            }
            return ticks;
        }

        private static double nines(double percentile) {
            return -Math.log10(Math.max(1e-9, 1 - percentile / 100));
        }
    }

    static Linear fromZero(double highest) {
        return new Linear(0, highest > 0 ? highest * 1.06 : 1);
    }

    /** Covers the values by at least half a decade with round ends. Without values, lowest is above highest. */
    static Log spanning(double lowest, double highest) {
        double low = lowest > 0 && lowest <= highest ? lowest : 0.1;
        double high = Math.max(highest, low * 3);
        return new Log(round(low, false), round(high, true));
    }

    /** Returns a scale of powers if four or more rates double approximately, else a scale from zero. */
    static AxisScale ofRates(double[] rates) {
        boolean ladder = rates.length >= 4 && rates[0] > 0;
        for (int i = 1; i < rates.length; i++) {
            ladder &= rates[i] >= 1.5 * rates[i - 1];
        }
        double highest = rates.length == 0 ? 1 : rates[rates.length - 1];
        return ladder ? new Log(rates[0] / 1.3, highest * 1.1) : fromZero(highest);
    }

    private static double round(double value, boolean up) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / power;
        double[] ends = {1, 2, 3, 5, 10};
        for (int i = 0; i < ends.length; i++) {
            if (digit <= ends[i] * (up ? 1 : 1.0000001) || i == ends.length - 1) {
                return power * (up || digit == ends[i] ? ends[i] : ends[Math.max(0, i - 1)]);
            }
        }
        return value;
    }
}
