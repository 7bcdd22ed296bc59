package weir.load.send;

import weir.measure.Recorder;
import weir.measure.SentLedger;

/**
 * Acks that follow each other and took equally long, as far as a histogram can tell: they are recorded together. Owned by
 * the thread of the acknowledgements.
 */
public final class AckRun {
    /** A 2048th is less than what histograms of three digits tell apart. */
    public static final int INDISTINGUISHABLE = 11;

    /** Acks that are counted together belong to one moment. */
    static final long MOMENT_NANOS = 1_000_000;

    /** After so long without an ack the next one may be alone, too, and is not held back. */
    private static final long QUIET_NANOS = 100_000;

    private final Recorder recorder;
    private final SentLedger ledger;
    private final StepClock steps;
    private long first;
    private int inSequence;
    private int count;
    private long bytes;
    private int step;
    private long dueNanos;
    private long sentNanos;
    private long ackedNanos;
    private long lastNanos;

    public AckRun(Recorder recorder, SentLedger ledger, StepClock steps) {
        this.recorder = recorder;
        this.ledger = ledger;
        this.steps = steps;
    }

    public void add(int ofStep, long sequence, long due, long sent, long acked, int size) {
        add(ofStep, sequence, 1, due, sent, acked, size);
    }

    /** So many messages in a row, which have all times in common; {@code size} is that of all. */
    public void add(int ofStep, long sequence, int many, long due, long sent, long acked, long size) {
        if (sequence == first + inSequence) {
            inSequence += many;
        } else {
            book();
            first = sequence;
            inSequence = many;
        }
        if (count == 0 || ofStep != step || !like(due, sent, acked)) {
            record();
            step = ofStep;
            dueNanos = due;
            sentNanos = sent;
            ackedNanos = acked;
        }
        count += many;
        bytes += size;
        if (acked - lastNanos > QUIET_NANOS) {
            flush();
        }
        lastNanos = acked;
    }

    private boolean like(long due, long sent, long acked) {
        long response = ackedNanos - dueNanos;
        long service = ackedNanos - sentNanos;
        // Comparing with the first keeps the errors from adding up.
        return acked - ackedNanos <= MOMENT_NANOS
                && Math.abs(acked - due - response) <= response >> INDISTINGUISHABLE
                && Math.abs(acked - sent - service) <= service >> INDISTINGUISHABLE;
    }

    public void flush() {
        book();
        record();
    }

    private void book() {
        if (inSequence > 0) {
            ledger.acked(first, inSequence);
            first += inSequence;
            inSequence = 0;
        }
    }

    private void record() {
        if (count == 0) {
            return;
        }
        recorder.acked(step, count, dueNanos, sentNanos, ackedNanos, bytes);
        int running = steps.runningAt(ackedNanos);
        if (running != StepClock.NONE) {
            recorder.ackedDuring(running, count, ackedNanos, bytes);
        }
        count = 0;
        bytes = 0;
    }
}
