package weir.worker.agent;

import java.io.DataInput;
import java.io.IOException;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkJson;

/** The frames between a conductor and an agent that are about one process or one file. */
final class AgentFrames {
    static final int PIECE = 64 << 10;

    private AgentFrames() {}

    /** @param failure why the process was killed by the agent; empty when it has ended */
    record Ended(int channel, int exit, String failure) {}

    static LinkFrame of(LinkFrame.Kind kind, Object content) {
        return LinkFrame.of(kind, LinkJson.write(content));
    }

    static <T> T read(LinkFrame frame, Class<T> type) {
        return LinkJson.read(frame.text(), type);
    }

    static LinkFrame bytes(LinkFrame.Kind kind, int channel, byte[] bytes, int length) {
        return LinkFrame.of(kind, out -> {
            out.writeInt(channel);
            out.write(bytes, 0, length);
        });
    }

    static LinkFrame inside(int channel, LinkFrame frame) {
        return LinkFrame.of(LinkFrame.Kind.CHANNEL, out -> {
            out.writeInt(channel);
            frame.write(out);
        });
    }

    static byte[] rest(LinkFrame frame, DataInput in) throws IOException {
        byte[] bytes = new byte[frame.length() - Integer.BYTES];
        in.readFully(bytes);
        return bytes;
    }
}
