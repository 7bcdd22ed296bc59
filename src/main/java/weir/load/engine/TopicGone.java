package weir.load.engine;

/** The exception for a topic that was deleted or recreated during the load: its acked records are gone. */
public final class TopicGone extends IllegalStateException {
    /** The time after which an unknown topic counts as deleted, because a newly started broker may know no topic. */
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
