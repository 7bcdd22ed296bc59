package weir.feature.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** An exporter on a free port of loopback, with the test's answers. */
final class LoopbackExporter implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "weir-test-exporter");
        thread.setDaemon(true);
        return thread;
    });

    private final Semaphore answered = new Semaphore(0);
    private volatile Answer answer = exchange -> send(exchange, 200, "text/plain; version=0.0.4", "");

    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    LoopbackExporter() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/metrics", exchange -> {
            answer.to(exchange);
            answered.release();
        });
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    }

    LoopbackExporter tells(String text) {
        return answers(exchange -> send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", text));
    }

    LoopbackExporter answers(Answer other) {
        answer = other;
        return this;
    }

    static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Resets the count of answers. */
    void forget() {
        answered.drainPermits();
    }

    /** Returns after this number of further answers. */
    void await(int times) throws InterruptedException {
        answered.acquire(times);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
