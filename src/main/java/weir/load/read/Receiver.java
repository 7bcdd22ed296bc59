package weir.load.read;

/** The reader of a load. */
public interface Receiver extends AutoCloseable {
    /** Fills the inbox, while it is open, until it is closed. */
    void fill(Inbox inbox);

    /** Closes the reader, only after {@link #fill} has returned. */
    @Override
    void close();
}
