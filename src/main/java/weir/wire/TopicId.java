package weir.wire;

/** An id that distinguishes a topic from an earlier topic of the same name: a UUID in two halves. */
public record TopicId(long high, long low) {
    /** The id of topics on brokers before 2.8, which lack topic ids. */
    public static final TopicId NONE = new TopicId(0, 0);
}
