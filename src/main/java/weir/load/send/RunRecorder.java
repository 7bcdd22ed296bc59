package weir.load.send;

import weir.measure.Recorder;

/**
 * A recorder that joins consecutive events if a histogram cannot distinguish their times. It compares each event with
 * the first joined event, so that errors do not add up. Owned by one thread.
 */
public final class RunRecorder {
    /** A shift by 11 bits: 1/2048 is below the resolution of histograms with three digits. */
    private static final int INDISTINGUISHABLE = 11;

    private static final long MOMENT_NANOS = 1_000_000;

    /** The lowest value that histograms distinguish from zero. */
    private static final long NOTHING_NANOS = 1_000;

    private final Recorder recorder;
    private final StepClock steps;
    private Kind kind = Kind.SENT;
    private int count;
    private long bytes;
    private int step;
    private long dueNanos;
    private long sentNanos;
    private long backpressureNanos;
    private long nanos;

    private enum Kind {
        SENT,
        ACKED,
        RECEIVED,
        READ
    }

    public RunRecorder(Recorder recorder, StepClock steps) {
        this.recorder = recorder;
        this.steps = steps;
    }

    /**
     * Records messages with the same times and the total {@code size}.
     *
     * @param backpressure how much earlier they would have been sent if the engine's earlier calls had returned
     *     immediately
     */
    void sent(int ofStep, int many, long due, long sent, long queued, long backpressure, long size) {
        boolean like = ofStep == step
                && due - dueNanos <= MOMENT_NANOS
                && sent - sentNanos <= MOMENT_NANOS
                && like(sent - due, sentNanos - dueNanos)
                && like(queued - sent, nanos - sentNanos)
                && like(backpressure, backpressureNanos);
        if (count == 0 || !like) {
            begin(Kind.SENT, ofStep, due, queued);
            sentNanos = sent;
            backpressureNanos = backpressure;
        }
        count += many;
        bytes += size;
    }

    private static boolean like(long some, long first) {
        return Math.abs(some - first) < Math.max(NOTHING_NANOS, first >> INDISTINGUISHABLE);
    }

    void acked(int ofStep, int many, long due, long sent, long acked, long size) {
        long response = nanos - dueNanos;
        long service = nanos - sentNanos;
        boolean like = ofStep == step
                && acked - nanos <= MOMENT_NANOS
                && Math.abs(acked - due - response) <= response >> INDISTINGUISHABLE
                && Math.abs(acked - sent - service) <= service >> INDISTINGUISHABLE;
        if (count == 0 || !like) {
            begin(Kind.ACKED, ofStep, due, acked);
            sentNanos = sent;
        }
        count += many;
        bytes += size;
    }

    public void received(long due, long received, int size) {
        int ofStep = steps.stepAt(due);
        boolean like = received == nanos && Math.abs(due - dueNanos) <= (received - dueNanos) >> INDISTINGUISHABLE;
        if (count == 0 || ofStep != step || !like) {
            begin(Kind.RECEIVED, ofStep, due, received);
        }
        count++;
        bytes += size;
    }

    public void read(int many, long taken, long size) {
        if (count == 0 || taken != nanos) {
            int ofStep = steps.stepAt(taken);
            if (count == 0 || ofStep != step) {
                begin(Kind.READ, ofStep, taken, taken);
            }
            nanos = taken;
        }
        count += many;
        bytes += size;
    }

    private void begin(Kind of, int ofStep, long due, long at) {
        flush();
        kind = of;
        step = ofStep;
        dueNanos = due;
        nanos = at;
    }

    public void flush() {
        if (count == 0) {
            return;
        }
        int running = kind == Kind.SENT ? StepClock.NONE : steps.runningAt(nanos);
        switch (kind) {
            case SENT -> {
                recorder.due(step, dueNanos, count);
                recorder.sent(step, count, count, dueNanos, sentNanos, nanos, backpressureNanos, bytes);
            }
            case ACKED -> {
                recorder.acked(step, count, count, dueNanos, sentNanos, nanos, bytes);
                if (running != StepClock.NONE) {
                    recorder.ackedDuring(running, count, count, nanos, bytes);
                }
            }
            case RECEIVED -> recorder.received(step, count, dueNanos, nanos, bytes);
            case READ -> recorder.read(step, count, nanos, bytes);
        }
        if (running != StepClock.NONE && kind != Kind.ACKED) {
            recorder.receivedDuring(running, count, nanos, bytes);
        }
        count = 0;
        bytes = 0;
    }
}
