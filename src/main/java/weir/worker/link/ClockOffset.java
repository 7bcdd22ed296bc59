package weir.worker.link;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** The time of another clock minus this process's time, and the largest error of that difference. */
public record ClockOffset(long nanos, long errorNanos) {
    /** The assumed drift of two clocks: at most 100 ppm, one nanosecond in this number of nanoseconds. */
    private static final long DRIFT = 10_000;

    public ClockOffset {
        if (errorNanos < 0) {
            throw new IllegalArgumentException("the error of an offset must be at least 0 ns, found " + errorNanos);
        }
    }

    public void write(DataOutput out) throws IOException {
        out.writeLong(nanos);
        out.writeLong(errorNanos);
    }

    public static ClockOffset read(DataInput in) throws IOException {
        return new ClockOffset(in.readLong(), in.readLong());
    }

    public ClockOffset after(long ageNanos) {
        return new ClockOffset(nanos, errorNanos + Math.max(0, ageNanos) / DRIFT + 1);
    }

    public boolean agrees(ClockOffset other) {
        return Math.abs(nanos - other.nanos) <= errorNanos + other.errorNanos;
    }
}
