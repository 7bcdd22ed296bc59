package weir.feature.hosts;

/** A refusal of a peer, or of this process by one; the message is one line that says why and what to do. */
public final class LinkRefused extends Exception {
    private static final long serialVersionUID = 1;

    public LinkRefused(String why) {
        super(why);
    }

    public LinkRefused(String why, Throwable cause) {
        super(why, cause);
    }
}
