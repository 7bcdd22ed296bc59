package weir.run;

import java.util.function.LongSupplier;
import weir.run.disturbance.TrialNotes;

/**
 * The growth of the log by any writer, from end offsets read once a second. A second without offsets has no reading;
 * the next reading covers the whole time since.
 */
final class LogGrowth implements Runnable {
    private static final double SECOND = 1e9;

    private final LongSupplier nanos;
    private final LongSupplier appended;
    private final TrialNotes notes;
    private long countBefore = -1;
    private long nanosBefore;
    private boolean failed;

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
        // The broker looked at an unknown time between question and answer.
        long now = asked + (nanos.getAsLong() - asked) / 2;
        if (countBefore >= 0 && now > nanosBefore) {
            notes.reading("log", "appended.per.s", (count - countBefore) * SECOND / (now - nanosBefore));
        }
        countBefore = count;
        nanosBefore = now;
    }
}
