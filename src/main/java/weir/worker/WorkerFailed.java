package weir.worker;

/** The failure or loss of a worker, with the reason. */
public final class WorkerFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    public enum Kind {
        FAULT,
        /** The clients or the brokers refuse the properties, or the principal lacks a right. */
        UNFIT,
        /** Another producer took over a transactional id that the user chose. */
        FENCED
    }

    public WorkerFailed(String why) {
        super(why);
        this.kind = Kind.FAULT;
    }

    public WorkerFailed(Kind kind, String why, Throwable cause) {
        super(why, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
