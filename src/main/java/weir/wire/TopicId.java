package weir.wire;

/** The id that distinguishes a topic from an earlier one of the same name: a UUID in two halves. */
public record TopicId(long high, long low) {
    /** Brokers before 2.8 have none. */
    public static final TopicId NONE = new TopicId(0, 0);
}
