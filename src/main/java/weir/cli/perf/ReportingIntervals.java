package weir.cli.perf;

import java.util.function.ToLongFunction;
import weir.measure.Numbers;

/**
 * Windows of one second put together to intervals. As in Kafka's tools an interval that is long enough ends with the next
 * thing that happens, so a stall is part of one, and what is left at the end is not told.
 */
final class ReportingIntervals {
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
    ReportingIntervals(long seconds, ToLongFunction<Numbers> counted, Telling telling) {
        this.seconds = seconds;
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

    /** Intervals told so far. */
    int told() {
        return told;
    }
}
