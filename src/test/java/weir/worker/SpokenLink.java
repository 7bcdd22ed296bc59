package weir.worker;

import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import weir.host.LocalChild;
import weir.measure.LoadListener;
import weir.time.MachineClock;
import weir.worker.link.Link;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkJson;

/** A link whose other end is the test; nothing that is sent there is read. */
public class SpokenLink implements Link {
    private static final LinkFrame END = LinkFrame.of(LinkFrame.Kind.EVENT, "end");

    private final BlockingQueue<LinkFrame> said = new LinkedBlockingQueue<>();
    volatile boolean closed;

    void say(LinkFrame frame) {
        said.add(frame);
    }

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

    /** Returns a worker in a process that only sleeps, while {@code serve} does the work of its server. */
    public static StartedWorker server(LocalChild child, Consumer<ServerAssignment> serve) {
        SpokenLink link = new SpokenLink() {
            @Override
            public void send(LinkFrame frame) {
                serve.accept(
                        LinkJson.read(frame.text(), LinkMessages.Serve.class).server());
                say(LinkFrame.of(LinkFrame.Kind.DONE, ""));
            }
        };
        return new StartedWorker(
                new LinkedWorker(link, child.pid(), LoadListener.NONE, () -> "", MachineClock.STEADY), child);
    }
}
