package weir.worker.link;

import java.io.IOException;

/** The way between two processes, whatever it is made of. */
public interface Link extends AutoCloseable {
    /** From any thread. */
    void send(LinkFrame frame) throws IOException;

    /** The next frame; throws {@link java.io.EOFException} when there will be none. */
    LinkFrame receive() throws IOException;

    @Override
    void close();
}
