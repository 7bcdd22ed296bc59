package weir.load.read;

/** One reader. */
public interface Receiver extends AutoCloseable {
    /** Puts what arrives into the inbox until the inbox is closed, whenever the inbox is open. */
    void fill(Inbox inbox);

    /** Only after {@link #fill} returned. */
    @Override
    void close();
}
