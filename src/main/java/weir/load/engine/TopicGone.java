package weir.load.engine;

/** A topic of the load that was deleted, or made again, while it was in use: what was acknowledged in it is gone. */
public final class TopicGone extends IllegalStateException {
    /** As long as this a topic has to be unknown: a broker that has just started may know none yet. */
    public static final long SURE_NANOS = 2_000_000_000;

    private static final long serialVersionUID = 1;

    public TopicGone(String message) {
        super(message);
    }

    public static String deleted(String topic) {
        return "topic '" + topic + "' was deleted while it was in use";
    }

    public static String madeAgain(String topic) {
        return "topic '" + topic + "' was deleted and made again while it was in use";
    }
}
