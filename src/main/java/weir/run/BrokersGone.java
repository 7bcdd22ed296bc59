package weir.run;

/** A trial that could not finish because no broker of its cluster was left. */
final class BrokersGone extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokersGone(RuntimeException cause) {
        super("no broker is left (" + cause.getMessage() + ")", cause);
    }
}
