package weir.feature.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.delivery.EventProcessSettings.Role;

/** Answers as servers of all kinds give them: whole, in pieces and broken. */
@Timeout(30)
class AnswersOfOthersTest {
    /** A subscriber with one connection at a time that answers each event with the same bytes. */
    private static final class RawSubscriber implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> connections = new CopyOnWriteArrayList<>();
        private final Thread thread;

        RawSubscriber(List<String> pieces, boolean closes) throws IOException {
            thread = new Thread(() -> serve(pieces, closes), "raw-subscriber");
            thread.start();
        }

        private void serve(List<String> pieces, boolean closes) {
            try {
                while (true) {
                    Socket next = server.accept();
                    next.setTcpNoDelay(true);
                    connections.add(next);
                    while (readOne(next.getInputStream())) {
                        for (String piece : pieces) {
                            next.getOutputStream().write(piece.getBytes(StandardCharsets.ISO_8859_1));
                            next.getOutputStream().flush();
                        }
                        if (closes) {
                            next.close();
                            break;
                        }
                    }
                }
            } catch (IOException closed) {
                // The end of the test.
            }
        }

        /** Events of this test end with a tilde. */
        private static boolean readOne(InputStream in) throws IOException {
            int next = in.read();
            while (next >= 0 && next != '~') {
                next = in.read();
            }
            return next >= 0;
        }

        String url() {
            return "http://127.0.0.1:" + server.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            server.close();
            for (Socket each : connections) {
                each.close();
            }
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HTTP/1.1 202 Accepted\\r\\nContent-Length: 0\\r\\n\\r\\n                                 | true  | 1",
                "HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}                                     | true  | 1",
                "HTTP/1.1 204 No Content\\r\\n\\r\\n                                                      | true  | 1",
                "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nab\\r\\n0\\r\\n\\r\\n   | true  | 1",
                "HTTP/1.1 100 Continue\\r\\n\\r\\n+HTTP/1.1 202 Accepted\\r\\nContent-Length: 0\\r\\n\\r\\n | true | 1",
                "HTTP/1.1 202+ Accepted\\r\\nContent-Len+gth: 0\\r\\n\\r+\\n                               | true  | 1",
                "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n                 | true  | 3",
                "HTTP/1.0 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n                                        | true  | 3",
                "HTTP/1.1 400 Bad\\r\\nContent-Length: 3\\r\\n\\r\\nbad                                    | false | 1",
                "HTTP/1.1 400 Bad\\r\\nContent-Length: 0\\r\\n\\r\\n                                       | false | 1",
                "HTTP/1.1 2x2 What\\r\\nContent-Length: 0\\r\\n\\r\\n                                      | false | 3",
                "nonsense\\r\\n\\r\\n                                                                      | false | 3",
            })
    void whatTheyMeanIsUnderstood(String answer, boolean delivered, int connections) throws Exception {
        List<String> pieces =
                List.of(answer.strip().replace("\\r", "\r").replace("\\n", "\n").split("\\+"));
        try (RawSubscriber subscriber = new RawSubscriber(pieces, false);
                EventProcessUnderTest under = EventProcessUnderTest.start(
                        Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(0, List.of(), 1 << 20), subscriber.url())) {
            for (int i = 1; i <= 3; i++) {
                under.post("event~");
                under.await(delivered ? "events.delivered" : "events.dropped", i);
            }
            assertThat(subscriber.connections).hasSize(connections);
            assertThat(under.figure(delivered ? "events.dropped" : "events.delivered"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"''", "HTTP/1.1 202 Acc", "'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'"})
    void truncatedAnswerCountsAsNoAnswer(String answer) throws Exception {
        try (RawSubscriber subscriber = new RawSubscriber(List.of(answer), true);
                EventProcessUnderTest under = EventProcessUnderTest.start(
                        Role.MEMORY_CHANNEL, EventProcessUnderTest.dispatch(2, List.of(), 1 << 20), subscriber.url())) {
            under.post("event~");
            under.await("events.dropped", 1);
            assertThat(under.figure("events.retried")).isEqualTo(2);
            assertThat(subscriber.connections).hasSize(3);
        }
    }
}
