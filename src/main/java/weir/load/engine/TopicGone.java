package weir.load.engine;

/** A topic of the load that was deleted or recreated during the load: its acknowledged records are gone. */
public final class TopicGone extends IllegalStateException {
    /** The time for which a topic must be unknown: a broker that has just started may know no topic yet. */
    public static final long SURE_NANOS = 2_000_000_000;

    private static final long serialVersionUID = 1;

    public TopicGone(String message) {
        super(message);
    }

    public static String deleted(String topic) {
        return "topic '" + topic + "' was deleted during the run";
    }

    public static String madeAgain(String topic) {
        return "topic '" + topic + "' was deleted and created again during the run";
    }
}
