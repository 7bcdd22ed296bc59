package weir.cli.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import weir.measure.Numbers;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.ProbeReading;
import weir.results.RunFolder;
import weir.results.value.TrialResult;

/** The output of one of Kafka's performance tools, and what that tool leaves out. */
abstract class PerfOutput {
    static final double MEBIBYTE = 1 << 20;

    protected final PrintWriter out;
    protected final Series all = new Series();

    PerfOutput(PrintWriter out) {
        this.out = out;
    }

    abstract boolean writes();

    abstract void begin();

    /** A window of the trial; parts that come late are windows of the same index again. */
    abstract void window(Snapshot window, long beganMillis);

    void reading(ProbeReading reading) {}

    abstract void trial(TrialResult result);

    /** True where Kafka's tool would not have ended with 0. */
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

    /** The tools print numbers as their user's locale has them, and scripts expect them so. */
    static Locale locale() {
        return Locale.getDefault(Locale.Category.FORMAT);
    }

    /**
     * Windows of one second put together to intervals. As in Kafka's tools an interval that is long enough ends with the next
     * thing that happens, so a stall is part of one, and what is left at the end is not told.
     */
    static final class Intervals {
        private final long seconds;
        private final ToLongFunction<Numbers> counted;
        private final Telling telling;
        private Numbers current = new Numbers();
        private long began = -1;
        private int told;

        /** The listener of intervals: with which window each began, and how many seconds it was long. */
        interface Telling {
            void tell(long began, Numbers numbers, long seconds);
        }

        /** {@code counted}: the records of an interval; one without any is not told. */
        Intervals(Duration length, ToLongFunction<Numbers> counted, Telling telling) {
            this.seconds = length.toSeconds();
            this.counted = counted;
            this.telling = telling;
        }

        /** The numbers of a window, or a part of them that comes late. */
        void add(long window, Numbers numbers) {
            if (numbers.sent() + counted.applyAsLong(numbers) == 0) {
                return;
            }
            began = began < 0 ? window : began;
            long whole = (window - began) / seconds * seconds;
            if (whole > 0 && counted.applyAsLong(current) > 0) {
                telling.tell(began, current, whole);
                told++;
                current = new Numbers();
                began += whole;
            }
            current = current.plus(numbers);
        }

        int told() {
            return told;
        }
    }
}
