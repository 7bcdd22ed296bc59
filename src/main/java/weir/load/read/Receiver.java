package weir.load.read;

/** The reader of a load. */
public interface Receiver extends AutoCloseable {
    /** Passes messages to the inbox while it is open; returns when it is closed. */
    void fill(Inbox inbox);

    /** Closes the reader. Called only after {@link #fill} has returned. */
    @Override
    void close();
}
