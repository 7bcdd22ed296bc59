package weir.run;

import java.util.function.LongSupplier;
import weir.run.disturbance.TrialNotes;

/**
 * How fast the log grows, whoever writes to it: by the end offsets, read once a second. A second in which no broker tells them
 * has no reading, and the next one tells of all the time since.
 */
final class LogGrowth implements Runnable {
    private static final double SECOND = 1e9;

    private final LongSupplier nanos;
    private final LongSupplier appended;
    private final TrialNotes notes;
    private long countBefore = -1;
    private long nanosBefore;
    private boolean failed;

    /** {@code appended} is asked for the end offsets of all partitions, added up. */
    LogGrowth(LongSupplier nanos, LongSupplier appended, TrialNotes notes) {
        this.nanos = nanos;
        this.appended = appended;
        this.notes = notes;
    }

    @Override
    public void run() {
        long asked = nanos.getAsLong();
        long count;
        try {
            count = appended.getAsLong();
        } catch (RuntimeException unknown) {
            if (!Thread.currentThread().isInterrupted() && !failed) {
                failed = true;
                notes.mark(asked, "note", "the end offsets could not be read: " + unknown.getMessage());
            }
            return;
        }
        // Nobody knows when between question and answer a broker looked.
        long now = asked + (nanos.getAsLong() - asked) / 2;
        if (countBefore >= 0 && now > nanosBefore) {
            notes.reading("log", "appended.per.s", (count - countBefore) * SECOND / (now - nanosBefore));
        }
        countBefore = count;
        nanosBefore = now;
    }
}
