package weir.worker.link;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A link over a pair of streams. */
public final class Pipes implements Link {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Runnable ending;

    public Pipes(InputStream in, OutputStream out) {
        this(in, out, () -> {});
    }

    /** Creates a link that ends the process at its other end when it closes. */
    public Pipes(InputStream in, OutputStream out, Runnable ending) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.ending = ending;
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    @Override
    public void send(LinkFrame frame) throws IOException {
        synchronized (out) {
            frame.write(out);
            out.flush();
        }
    }

    @Override
    public LinkFrame receive() throws IOException {
        return LinkFrame.read(in);
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException gone) {
            // The other end is gone, so the stream is closed.
        }
        ending.run();
    }
}
