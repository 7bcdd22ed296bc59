package weir.feature.hosts;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.function.LongSupplier;
import weir.feature.hosts.LinkListener.Hello;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.QueuedLink;

/** The agent of a host, frame by frame, over a link in memory. */
final class FakeAgent {
    private static final int ROOM = 1 << 20;

    private final PipedOutputStream toHost = new PipedOutputStream();
    private final DataInputStream heard;
    final RemoteHost host;

    FakeAgent(String name, LongSupplier clock) throws IOException {
        PipedOutputStream fromHost = new PipedOutputStream();
        heard = new DataInputStream(new PipedInputStream(fromHost, ROOM));
        PipedInputStream input = new PipedInputStream(toHost, ROOM);
        host = new RemoteHost(
                new Hello(Hello.PROTOCOL, "1.0", "17", "machine", name, 1, 1, 1),
                breaks -> new QueuedLink(
                        input,
                        fromHost,
                        () -> {
                            toHost.close();
                            fromHost.close();
                        },
                        QueuedLink.ROOM,
                        1 << 20,
                        breaks),
                clock);
        hear(Kind.WELCOME);
    }

    void say(byte[] bytes) throws IOException {
        toHost.write(bytes);
        toHost.flush();
    }

    void say(LinkFrame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.write(new DataOutputStream(bytes));
        say(bytes.toByteArray());
    }

    void answer(LinkCall call, Object value) throws IOException {
        say(new LinkCall.Answer(call.number(), LinkJson.write(value), "").frame());
    }

    void hangUp() throws IOException {
        toHost.close();
    }

    LinkFrame hear(Kind kind) throws IOException {
        LinkFrame frame = LinkFrame.read(heard);
        if (frame.kind() != kind) {
            throw new IOException("the conductor said " + frame.kind() + " where " + kind + " was to come");
        }
        return frame;
    }

    /** Returns once the conductor has read all earlier frames. */
    void ping() throws IOException {
        say(LinkFrame.of(Kind.PING, out -> {
            out.writeLong(1_000);
            out.writeLong(7);
        }));
        hear(Kind.PONG);
    }
}
