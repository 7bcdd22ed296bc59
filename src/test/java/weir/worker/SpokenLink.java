package weir.worker;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;

/** A link at whose other end a test speaks; what is sent there is not heard. */
class SpokenLink implements Link {
    private static final LinkFrame END = LinkFrame.of(LinkFrame.Kind.EVENT, "end");

    private final BlockingQueue<LinkFrame> said = new LinkedBlockingQueue<>();
    volatile boolean closed;

    void say(LinkFrame frame) {
        said.add(frame);
    }

    /** Nothing more is said. */
    void end() {
        said.add(END);
    }

    @Override
    public void send(LinkFrame frame) {}

    @Override
    public LinkFrame receive() throws IOException {
        try {
            LinkFrame next = said.take();
            if (next == END) {
                throw new EOFException();
            }
            return next;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        end();
    }
}
