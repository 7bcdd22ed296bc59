package weir.cluster.sink;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiKeys;
import weir.cluster.sink.SinkRequestHandler.SinkCounters;
import weir.host.mbean.LocalMBeans;
import weir.time.DaemonThreads;

/** The program of a sink. To producers it looks like a broker that acknowledges immediately; it stores nothing. */
public final class SinkMain {
    public static final String WATCHING = "--watching";

    public static final String LISTENING = "listening on port ";

    private static final int MOST_CONNECTIONS = 1_000;
    private static final int WAITING = 512;

    private SinkMain() {}

    /** Arguments: {@code [--watching] PORT}. */
    public static void main(String[] arguments) throws IOException {
        List<String> left = List.of(arguments);
        if (left.get(0).equals(WATCHING)) {
            left = left.subList(1, left.size());
            DaemonThreads.start("weir-parent-watch", SinkMain::endWithInput);
        }
        LocalMBeans.serve();
        try (ServerSocketChannel door = ServerSocketChannel.open()) {
            int port = Integer.parseInt(left.get(0));
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), WAITING);
            System.err.println(LISTENING + port);
            serve(door, port, System.err::println);
        }
    }

    // Each connection has a thread: connections are few, and a blocking read() is the cheapest wait.
    static void serve(ServerSocketChannel door, int port, Consumer<String> log) throws IOException {
        SinkCounters counters = new SinkCounters();
        Semaphore free = new Semaphore(MOST_CONNECTIONS);
        while (true) {
            SocketChannel socket = door.accept();
            if (!free.tryAcquire()) {
                log.accept("more than " + MOST_CONNECTIONS + " connections; the null target refuses a connection");
                socket.close();
                continue;
            }
            DaemonThreads.start("weir-sink-" + socket.getRemoteAddress(), () -> {
                try {
                    new SinkConnection(socket, counters, port, log).run();
                } finally {
                    free.release();
                }
            });
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; only the end of the input matters.
            }
        } catch (IOException closed) {
            System.err.println("standard input: " + closed);
        }
        Runtime.getRuntime().halt(137);
    }

    static final class SinkConnection {
        /** The limit for a client's id, and for each request without records. */
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
                // The client sees the end of the connection; the log has the reason.
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
                replies.put(questions.versionsForNewerClient(correlation));
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
}
