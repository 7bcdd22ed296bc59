package weir.feature.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server that reads whole requests and answers as the test decides. It uses no library, so it can break any rule. */
public final class FakeServer implements AutoCloseable {
    public final List<ReceivedRequest> heard = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket socket;
    private final Conduct conduct;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    public record ReceivedRequest(String head, String body) {
        public String line() {
            return head.lines().findFirst().orElse("");
        }

        String header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ": "))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElse("");
        }
    }

    /** Answers the request of this number, from 0. Null closes the connection, and so does an answer that ends it. */
    public interface Conduct {
        @Nullable String answer(int number, ReceivedRequest heard) throws InterruptedException;
    }

    public FakeServer(Conduct conduct) throws IOException {
        this.conduct = conduct;
        this.socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    public static String answer(String status, String... lines) {
        String body = lines.length > 0 ? lines[lines.length - 1] : "";
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + "\r\n");
        for (int i = 0; i + 1 < lines.length; i++) {
            head.append(lines[i]).append("\r\n");
        }
        return head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket next = socket.accept();
                open.add(next);
                connections.incrementAndGet();
                daemon(() -> serve(next));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = client.getInputStream();
            while (true) {
                String head = head(in);
                if (head.isEmpty()) {
                    return;
                }
                String told = new ReceivedRequest(head, "").header("Content-Length");
                int length = told.isEmpty() ? 0 : Integer.parseInt(told);
                ReceivedRequest request =
                        new ReceivedRequest(head, new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
                int number;
                synchronized (this) {
                    number = heard.size();
                    heard.add(request);
                }
                String answer = conduct.answer(number, request);
                if (answer == null) {
                    return;
                }
                client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                if (answer.toLowerCase(Locale.ROOT).contains("connection: close")) {
                    return;
                }
            }
        } catch (IOException gone) {
            // The client is over, too.
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int end = 0;
        while (end < 4) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.write(next);
            end = next == "\r\n\r\n".charAt(end) ? end + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
