package weir.run;

/** The exception for a trial that could not finish because all its brokers were gone. */
final class BrokersGone extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokersGone(RuntimeException cause) {
        super("no broker is left (" + cause.getMessage() + ")", cause);
    }
}
