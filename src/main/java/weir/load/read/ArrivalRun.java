package weir.load.read;

import weir.load.send.AckRun;
import weir.load.send.StepClock;
import weir.measure.Recorder;

/**
 * Messages that arrived together after times that a histogram cannot tell apart: they are recorded together. Owned by the
 * reader's thread.
 */
public final class ArrivalRun {
    private final Recorder recorder;
    private final StepClock steps;
    private long arrivedNanos;
    private int count;
    private long bytes;
    private int step;
    private long dueNanos;

    public ArrivalRun(Recorder recorder, StepClock steps) {
        this.recorder = recorder;
        this.steps = steps;
    }

    /** Sets the moment at which everything added from now on arrived. */
    public void arrived(long nanos) {
        if (nanos != arrivedNanos) {
            flush();
            arrivedNanos = nanos;
        }
    }

    public void add(long due, int size) {
        int ofStep = steps.stepAt(due);
        long e2e = arrivedNanos - dueNanos;
        // Comparing with the first keeps the errors from adding up.
        boolean like = Math.abs(due - dueNanos) <= e2e >> AckRun.INDISTINGUISHABLE;
        if (count == 0 || ofStep != step || !like) {
            flush();
            step = ofStep;
            dueNanos = due;
        }
        count++;
        bytes += size;
    }

    public void flush() {
        if (count > 0) {
            recorder.received(step, count, dueNanos, arrivedNanos, bytes);
            int running = steps.runningAt(arrivedNanos);
            if (running != StepClock.NONE) {
                recorder.receivedDuring(running, count, arrivedNanos, bytes);
            }
            count = 0;
            bytes = 0;
        }
    }
}
