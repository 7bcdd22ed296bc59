package weir.load.engine;

/** The exception that ends a load for a reason that the user can fix. The message is one line about the reason. */
public final class LoadRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean fenced;

    private LoadRefused(String why, boolean fenced, Throwable cause) {
        super(why, cause);
        this.fenced = fenced;
    }

    public static LoadRefused unfit(String why, Throwable cause) {
        return new LoadRefused(why, false, cause);
    }

    public static LoadRefused fenced(String why, Throwable cause) {
        return new LoadRefused(why, true, cause);
    }

    public boolean fenced() {
        return fenced;
    }
}
