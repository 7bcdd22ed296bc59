package weir.load.read;

import weir.load.send.StepClock;
import weir.measure.Recorder;

/** Messages of a backlog that were taken one after the other in the same step: they are recorded together. */
final class BacklogRun {
    private final Recorder recorder;
    private final StepClock steps;
    private volatile long takenNanos;
    private int step;
    private int count;
    private long bytes;

    BacklogRun(Recorder recorder, StepClock steps) {
        this.recorder = recorder;
        this.steps = steps;
    }

    void add(long nanos, int messages, long size) {
        if (nanos != takenNanos) {
            int ofStep = steps.stepAt(nanos);
            if (ofStep != step) {
                flush();
                step = ofStep;
            }
            takenNanos = nanos;
        }
        count += messages;
        bytes += size;
    }

    long takenNanos() {
        return takenNanos;
    }

    void flush() {
        if (count > 0) {
            recorder.read(step, count, takenNanos, bytes);
            int running = steps.runningAt(takenNanos);
            if (running != StepClock.NONE) {
                recorder.receivedDuring(running, count, takenNanos, bytes);
            }
            count = 0;
            bytes = 0;
        }
    }
}
