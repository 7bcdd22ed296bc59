package weir.plan;

/** A change of the number of a load's readers: some join, or some leave or stand still. */
public record ReaderChange(int joining, int leaving, How how) {
    public static final ReaderChange NONE = new ReaderChange(0, 0, How.CLOSE);

    public boolean none() {
        return joining == 0 && leaving == 0;
    }

    public enum How {
        /** The reader closes its consumer, which leaves its group. */
        CLOSE,
        /** The reader ends without a commit and without leaving its group. */
        KILL,
        /** The reader calls neither poll nor commit, like a blocked thread. */
        PAUSE
    }
}
