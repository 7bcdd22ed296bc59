package weir.worker;

import java.io.IOException;

/** The way between a conductor and one worker, whatever it is made of. */
interface Link extends AutoCloseable {
    /** From any thread. */
    void send(LinkFrame frame) throws IOException;

    /** The next frame; throws {@link java.io.EOFException} when there will be none. */
    LinkFrame receive() throws IOException;

    @Override
    void close();
}
