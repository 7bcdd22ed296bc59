package weir.run.disturbance;

/** Takes marks for the time axis of a trial, and readings of now. */
public interface TrialNotes {
    /** Marks a moment, given by the steady clock of the lab. */
    void mark(long nanos, String name, String text);

    void reading(String source, String metric, double value);
}
