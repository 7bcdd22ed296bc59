package weir.worker.link;

import java.io.IOException;

/** A connection between two processes, over any transport. */
public interface Link extends AutoCloseable {
    void send(LinkFrame frame) throws IOException;

    /** The next frame; throws {@link java.io.EOFException} after the last one. */
    LinkFrame receive() throws IOException;

    @Override
    void close();
}
