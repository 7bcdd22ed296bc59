package weir.cluster.sink;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiKeys;

/** One connection: takes its requests in order and answers each. */
final class SinkConnection {
    /** A client's id, and every request that is not full of records, is bounded by this. */
    private static final int MOST_BYTES = 1 << 20;

    private final SocketChannel socket;
    private final ReplyBuffer replies;
    private final SinkRequestReader intake;
    private final ProduceHandler produced;
    private final SinkRequestHandler questions;
    private final Consumer<String> log;

    SinkConnection(SocketChannel socket, SinkCounters counters, int port, Consumer<String> log) {
        this.socket = socket;
        this.log = log;
        replies = new ReplyBuffer(socket);
        intake = new SinkRequestReader(socket, replies::flush);
        produced = new ProduceHandler(intake, replies, counters);
        questions = new SinkRequestHandler(counters, port);
    }

    void run() {
        try (socket) {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            while (intake.next()) {
                request();
            }
        } catch (IOException | RuntimeException e) {
            // Whoever sent this is told by the end of the connection; the log says why.
            log.accept(Thread.currentThread().getName() + ": " + e);
        }
    }

    private void request() throws IOException {
        short key = intake.readShort();
        short version = intake.readShort();
        int correlation = intake.readInt();
        int client = intake.readShort();
        intake.skip(Math.max(0, client));
        if (key == ApiKeys.API_VERSIONS.id && !ApiKeys.API_VERSIONS.isVersionSupported(version)) {
            replies.put(questions.versionsForWhoeverIsNewer(correlation));
            return;
        }
        ApiKeys api = SinkRequestHandler.known(key, version);
        if (api.requestHeaderVersion(version) >= 2) {
            ProduceHandler.skipTags(intake);
        }
        if (api == ApiKeys.PRODUCE) {
            produced.answer(version, correlation);
        } else {
            byte[] body = intake.readBytes(intake.left(), MOST_BYTES);
            replies.put(questions.answer(api, version, correlation, ByteBuffer.wrap(body)));
        }
    }
}
