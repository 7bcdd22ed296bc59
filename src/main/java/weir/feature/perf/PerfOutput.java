package weir.feature.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.RunFolder;
import weir.results.value.TrialResult;

/** The output lines of one of Kafka's performance tools, and further figures for standard error. */
abstract class PerfOutput {
    static final double MEBIBYTE = 1 << 20;

    protected final PrintWriter out;
    protected final Series all = new Series();

    PerfOutput(PrintWriter out) {
        this.out = out;
    }

    abstract boolean writes();

    abstract void begin();

    /** Handles a one-second window of the trial. Late counts arrive as another window with the same index. */
    abstract void window(Snapshot window, long beganMillis);

    void reading(Reading reading) {}

    abstract void trial(TrialResult result);

    boolean broken() {
        return false;
    }

    abstract void total(boolean interrupted);

    abstract List<String> beyond(RunFolder run);

    static Numbers measured(Snapshot window) {
        Numbers measured = new Numbers();
        for (int step : window.steps()) {
            measured = step >= Steps.MEASURE ? measured.plus(window.numbers(step)) : measured;
        }
        return measured;
    }

    /** The user's locale, with which Kafka's tools format numbers and which scripts expect. */
    static Locale locale() {
        return Locale.getDefault(Locale.Category.FORMAT);
    }

    /**
     * The intervals of one-second windows. As in Kafka's tools, an interval ends with the first event after its length,
     * so it contains a stall. The incomplete interval at the end is not printed.
     */
    static final class Intervals {
        private final long seconds;
        private final ToLongFunction<Numbers> counted;
        private final IntervalPrinter printer;
        private Numbers current = new Numbers();
        private long began = -1;
        private int printed;

        interface IntervalPrinter {
            void print(long began, Numbers numbers, long seconds);
        }

        /** Omits intervals without records; {@code counted} returns the records of an interval. */
        Intervals(Duration length, ToLongFunction<Numbers> counted, IntervalPrinter printer) {
            this.seconds = length.toSeconds();
            this.counted = counted;
            this.printer = printer;
        }

        void add(long window, Numbers numbers) {
            if (numbers.sent() + counted.applyAsLong(numbers) == 0) {
                return;
            }
            began = began < 0 ? window : began;
            long whole = (window - began) / seconds * seconds;
            if (whole > 0 && counted.applyAsLong(current) > 0) {
                printer.print(began, current, whole);
                printed++;
                current = new Numbers();
                began += whole;
            }
            current = current.plus(numbers);
        }

        int printed() {
            return printed;
        }
    }
}
