package weir.worker;

/** A worker could not do what it was asked to, or is gone; the message says why. */
public final class WorkerFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public WorkerFailed(String why) {
        super(why);
    }

    WorkerFailed(String why, Throwable cause) {
        super(why, cause);
    }
}
