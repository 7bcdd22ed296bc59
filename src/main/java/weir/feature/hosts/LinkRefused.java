package weir.feature.hosts;

/** The refusal of a peer, or of this process by a peer. The message is one line with the reason and a remedy. */
public final class LinkRefused extends Exception {
    private static final long serialVersionUID = 1;

    public LinkRefused(String why) {
        super(why);
    }

    public LinkRefused(String why, Throwable cause) {
        super(why, cause);
    }
}
