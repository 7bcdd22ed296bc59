package weir.worker.agent;

import java.io.DataInput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import weir.worker.WorkerJvm;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkJson;

/** The frames between a conductor and an agent, and what is in them. */
final class AgentFrames {
    /** The bytes of a piece of a file, of a log, or of what a process says. */
    static final int PIECE = 64 << 10;

    private AgentFrames() {}

    /**
     * A file that a process there will need.
     *
     * @param path where it stands here; there it stands at the same place below a folder
     * @param kept for later runs, too: it holds no secret
     */
    record Offered(String path, String sha256, long size, boolean kept) {}

    record Offer(int number, List<Offered> files) {}

    /** @param files those of an offer, counted from 0, that are to be sent */
    record Wanted(int number, List<Integer> files) {}

    /**
     * @param root below which the files stand
     * @param failure why they do not; empty when they do
     */
    record Placed(int number, String root, String failure) {}

    /** @param limit the time after which the process is killed; {@link weir.time.TimeLimit#NEVER} for none */
    record Start(int channel, String name, WorkerJvm jvm, Duration limit) {}

    /** @param endingNanos the time in which the process ends by itself */
    record Started(int channel, long pid, long endingNanos) {}

    /** @param failure why the process could not be started, or was killed by the agent; empty when it has ended */
    record Ended(int channel, int exit, String failure) {}

    /**
     * @param originNanos second 0 of the readings of the host, by the run's clock
     * @param brokers that run there
     */
    record Look(boolean on, long originNanos, List<HostedBroker> brokers) {
        Look {
            brokers = List.copyOf(brokers);
        }
    }

    record Call(int number, HostCall call) {}

    /** @param failure why the call was not carried out; empty when it was */
    record Answer(int number, HostCalls.Result result, String failure) {}

    static LinkFrame of(LinkFrame.Kind kind, Object content) {
        return LinkFrame.of(kind, LinkJson.write(content));
    }

    static <T> T read(LinkFrame frame, Class<T> type) {
        return LinkJson.read(frame.text(), type);
    }

    /** Bytes of a channel. */
    static LinkFrame bytes(LinkFrame.Kind kind, int channel, byte[] bytes, int length) {
        return LinkFrame.of(kind, out -> {
            out.writeInt(channel);
            out.write(bytes, 0, length);
        });
    }

    /** A whole frame of a channel. */
    static LinkFrame inside(int channel, LinkFrame frame) {
        return LinkFrame.of(LinkFrame.Kind.CHANNEL, out -> {
            out.writeInt(channel);
            frame.write(out);
        });
    }

    /** The bytes behind the number of a channel, which has been read. */
    static byte[] rest(LinkFrame frame, DataInput in) throws IOException {
        byte[] bytes = new byte[frame.length() - Integer.BYTES];
        in.readFully(bytes);
        return bytes;
    }

    /** A piece of the offered file number {@code index}, its last or not. */
    static LinkFrame piece(int offer, int index, boolean last, byte[] bytes, int length) {
        return LinkFrame.of(LinkFrame.Kind.PIECE, out -> {
            out.writeInt(offer);
            out.writeInt(index);
            out.writeBoolean(last);
            out.writeInt(length);
            out.write(bytes, 0, length);
        });
    }
}
