package weir.cli;

import weir.measure.Numbers;

/**
 * Windows of one second put together to intervals. As in Kafka's tools an interval that is long enough ends with the next
 * thing that happens, so a stall is part of one, and what is left at the end is not told.
 */
final class Intervals {
    private final long seconds;
    private final Telling telling;
    private Numbers current = new Numbers();
    private long began = -1;
    private int told;

    /** Hears of an interval: the window that it began with, and how many seconds long it was. */
    interface Telling {
        void tell(long began, Numbers numbers, long seconds);
    }

    Intervals(long seconds, Telling telling) {
        this.seconds = seconds;
        this.telling = telling;
    }

    /** The numbers of a window, or a part of them that comes late. */
    void add(long window, Numbers numbers) {
        if (numbers.sent() + numbers.acked() + numbers.received() == 0) {
            return;
        }
        began = began < 0 ? window : began;
        long whole = (window - began) / seconds * seconds;
        if (whole > 0 && current.acked() + current.received() > 0) {
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
