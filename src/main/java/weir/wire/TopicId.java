package weir.wire;

/** The id that tells a topic from another one that had its name before: a UUID in two halves. */
public record TopicId(long high, long low) {
    /** Brokers before 2.8 have none. */
    public static final TopicId NONE = new TopicId(0, 0);
}
