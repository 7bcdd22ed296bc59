package weir.worker.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.LongSupplier;
import weir.worker.link.Hello;
import weir.worker.link.LinkCall;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.QueuedLink;

/** The agent of a host, frame by frame, over a link in memory. */
final class FakeAgent {
    private final RemoteProcess.PieceStream toHost = new RemoteProcess.PieceStream();
    private final RemoteProcess.PieceStream fromHost = new RemoteProcess.PieceStream();
    private final DataInputStream heard = new DataInputStream(fromHost);
    final RemoteHost host;

    FakeAgent(String name, LongSupplier clock) throws IOException {
        OutputStream out = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                fromHost.put(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                fromHost.put(Arrays.copyOfRange(bytes, from, from + length));
            }
        };
        host = new RemoteHost(
                new Hello(Hello.PROTOCOL, "1.0", "17", "machine", name, 1, 1, 1),
                breaks -> new QueuedLink(
                        toHost,
                        out,
                        () -> {
                            toHost.end();
                            fromHost.end();
                        },
                        QueuedLink.ROOM,
                        1 << 20,
                        breaks),
                clock);
        hear(Kind.WELCOME);
    }

    void say(byte[] bytes) throws IOException {
        toHost.put(bytes);
    }

    void say(LinkFrame frame) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        frame.write(new DataOutputStream(bytes));
        say(bytes.toByteArray());
    }

    void answer(LinkCall call, Object value) throws IOException {
        say(AgentFrames.of(Kind.ANSWER, new LinkCall.Answer(call.number(), LinkJson.write(value), "")));
    }

    /** Ends the connection. */
    void hangUp() {
        toHost.end();
    }

    LinkFrame hear(Kind kind) throws IOException {
        LinkFrame frame = LinkFrame.read(heard);
        if (frame.kind() != kind) {
            throw new IOException("the conductor said " + frame.kind() + " where " + kind + " was to come");
        }
        return frame;
    }

    /** Returns when the conductor has heard all that was said before. */
    void ping() throws IOException {
        say(LinkFrame.of(Kind.PING, out -> {
            out.writeLong(1_000);
            out.writeLong(7);
        }));
        hear(Kind.PONG);
    }
}
