package weir.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.http.Access;
import weir.http.Refusal;
import weir.http.Resource;
import weir.http.ServerRequest;
import weir.plan.read.Hash;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * The server of a conductor in a pod for a client outside, through a port that Kubernetes forwards. It takes files,
 * starts the run, reports its progress and hands over its folder. It listens on loopback alone.
 *
 * <p>Requests: {@code GET /about} answers its time in milliseconds since 1970, and its build;
 * {@code PUT /file?path=&from=} takes a piece of a file, and {@code POST /whole?path=&sha256=} says that the file is
 * complete; {@code GET /there?path=} answers whether a file exists; {@code POST /start}, {@code POST /stop};
 * {@code GET /progress?from=} answers the new output of the run, and its exit code once it has ended;
 * {@code GET /folder} lists the files of the run, a line each; {@code GET /piece?path=&from=} answers a part of one;
 * {@code POST /done} ends it.
 */
public final class ConductorServer implements AutoCloseable {
    static {
        // The JDK's server sends head and body apart: the second would wait 40 ms for a delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    public static final int PORT = 7412;

    static final String READY = "conductor-listens";

    static final String EXIT = "Weir-Exit";
    /** Bytes: ports that are forwarded by WebSockets stall when much is under way. */
    static final int PIECE = 128 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Time for a run to write its report when it is asked to end; Kubernetes kills the pod a little later. */
    private static final Duration ENDING = Duration.ofSeconds(25);

    /** Maximum time between two requests of a client that follows a run. */
    private static final Duration FOLLOWED = Duration.ofSeconds(5);

    private static final int OK = 200;

    private final Path home;
    private final Path log;
    private final RunStarter starter;
    private final Access access;
    private final HttpServer server;
    private final CountDownLatch done = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private @Nullable Process process;
    private final LongSupplier clock = MachineClock.STEADY;
    private volatile long asked = clock.getAsLong();
    private volatile boolean ends;

    public interface RunStarter {
        /**
         * Starts it.
         *
         * @param log takes all that it prints
         */
        Process start(Path log) throws IOException;
    }

    private interface Handler {
        void handle(HttpExchange exchange, Map<String, String> query) throws IOException;
    }

    /**
     * Listens.
     *
     * @param home below which files are taken, and the folder of runs is
     * @param port on loopback; 0 for any
     * @param build of this Weir
     */
    public ConductorServer(Path home, int port, String build, RunStarter starter) throws IOException {
        this.home = home.toAbsolutePath().normalize();
        this.log = this.home.resolve("progress.log");
        this.starter = starter;
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.access = Access.to(loopback, "", false);
        this.server = HttpServer.create(loopback, 0);
        server.setExecutor(threads);
        on("GET", "/about", (exchange, query) -> answer(exchange, MachineClock.WALL.millis() + " " + build));
        on("PUT", "/file", (exchange, query) -> {
            piece(part(below(query)), from(query), exchange.getRequestBody());
            answer(exchange, "");
        });
        on("POST", "/whole", (exchange, query) -> {
            whole(below(query), query.getOrDefault("sha256", ""));
            answer(exchange, "");
        });
        on("GET", "/there", (exchange, query) -> answer(exchange, Files.isRegularFile(below(query)) ? "yes" : "no"));
        on("POST", "/start", (exchange, query) -> {
            start();
            answer(exchange, "");
        });
        on("POST", "/stop", (exchange, query) -> {
            stop();
            answer(exchange, "");
        });
        on("GET", "/progress", this::progress);
        on("GET", "/folder", (exchange, query) -> answer(exchange, folder()));
        on("GET", "/piece", (exchange, query) -> answer(exchange, read(below(query), from(query))));
        on("POST", "/done", (exchange, query) -> {
            answer(exchange, "");
            done.countDown();
        });
        server.start();
        // A client that connects through a forwarded port before the server listens would wait forever.
        Files.write(this.home.resolve(READY), new byte[0]);
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void on(String method, String path, Handler handler) {
        Resource resource = Resource.of(method);
        server.createContext(path, exchange -> {
            try (exchange) {
                try {
                    access.check(new Head(exchange), false);
                    resource.checkMethod(exchange.getRequestMethod());
                    asked = clock.getAsLong();
                    if (exchange.getRequestMethod().equals("OPTIONS")) {
                        exchange.getResponseHeaders().set("allow", resource.allow());
                        answer(exchange, "");
                    } else {
                        handler.handle(exchange, query(exchange));
                    }
                } catch (Refusal why) {
                    why.headers().forEach(exchange.getResponseHeaders()::set);
                    refuse(exchange, why);
                } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException e) {
                    refuse(exchange, Refusal.bad(String.valueOf(e.getMessage())));
                }
            }
        });
    }

    private record Head(HttpExchange exchange) implements ServerRequest {
        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String target() {
            return exchange.getRequestURI().toString();
        }

        @Override
        public boolean old() {
            return exchange.getProtocol().equals("HTTP/1.0");
        }

        @Override
        public @Nullable String header(String name) {
            return exchange.getRequestHeaders().getFirst(name);
        }

        @Override
        public boolean repeats(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of()).size() > 1;
        }
    }

    /** Decodes each part by itself: names of files may hold an ampersand. */
    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String said = exchange.getRequestURI().getRawQuery();
        for (String part : said == null ? List.<String>of() : List.of(said.split("&", -1))) {
            int equals = part.indexOf('=');
            query.put(
                    part.substring(0, Math.max(0, equals)),
                    URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }

    private static void refuse(HttpExchange exchange, Refusal why) throws IOException {
        // Reads the rest of the request: otherwise a client that still sends gets a broken connection.
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        answer(exchange, why.status(), String.valueOf(why.getMessage()).getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        answer(exchange, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(HttpExchange exchange, byte[] content) throws IOException {
        answer(exchange, OK, content);
    }

    private static void answer(HttpExchange exchange, int status, byte[] content) throws IOException {
        boolean bare = exchange.getRequestMethod().equals("HEAD");
        if (bare) {
            exchange.getResponseHeaders().set("content-length", String.valueOf(content.length));
        }
        exchange.sendResponseHeaders(status, bare || content.length == 0 ? -1 : content.length);
        if (!bare && content.length > 0) {
            exchange.getResponseBody().write(content);
        }
    }

    private Path below(Map<String, String> query) {
        Path path = home.resolve(query.getOrDefault("path", "")).normalize();
        if (!path.startsWith(home) || path.equals(home)) {
            throw new IllegalArgumentException("'" + query.getOrDefault("path", "") + "' is not below the home");
        }
        return path;
    }

    /** Writes a piece of a file at its offset, over any leftover of a broken attempt. */
    private void piece(Path part, long from, InputStream in) throws IOException {
        Files.createDirectories(part.resolveSibling(""));
        try (RandomAccessFile file = new RandomAccessFile(part.toFile(), "rw")) {
            if (from > file.length()) {
                throw new IllegalArgumentException(
                        "a piece from " + from + " on comes after " + file.length() + " bytes");
            }
            file.seek(from);
            file.write(in.readAllBytes());
            file.setLength(file.getFilePointer());
        }
    }

    private void whole(Path file, String sha256) throws IOException {
        Path part = part(file);
        if (!Files.exists(part) && Files.exists(file)) {
            // The request is a repetition, because the answer was lost.
            return;
        }
        if (!Hash.of(part).equals(sha256)) {
            Files.delete(part);
            throw new IllegalArgumentException("'" + file.getFileName() + "' came with another content");
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    public synchronized void start() {
        if (process != null) {
            return;
        }
        try {
            process = starter.start(log);
        } catch (IOException e) {
            throw new UncheckedIOException("starting the run: " + e.getMessage(), e);
        }
    }

    private synchronized void stop() {
        Process running = process;
        if (running != null && running.isAlive()) {
            running.destroy();
        }
    }

    private synchronized @Nullable Process process() {
        return process;
    }

    private void progress(HttpExchange exchange, Map<String, String> query) throws IOException {
        long from = from(query);
        TimeLimit deadline = MachineClock.within(PATIENCE);
        Process running = process();
        while (size() <= from && running != null && running.isAlive() && !deadline.passed()) {
            LockSupport.parkNanos(50_000_000);
        }
        // Set before the log is read: an answer with the exit code contains the whole rest of the log.
        if (running != null && !running.isAlive()) {
            exchange.getResponseHeaders().set(EXIT, String.valueOf(running.exitValue()));
        }
        answer(exchange, read(log, from));
    }

    private long size() throws IOException {
        return Files.exists(log) ? Files.size(log) : 0;
    }

    private static byte[] read(Path file, long from) throws IOException {
        if (!Files.exists(file)) {
            return new byte[0];
        }
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            byte[] piece = new byte[(int) Math.max(0, Math.min(PIECE, in.length() - from))];
            in.seek(from);
            in.readFully(piece);
            return piece;
        }
    }

    private String folder() throws IOException {
        Path runs = home.resolve("runs");
        if (!Files.isDirectory(runs)) {
            return "";
        }
        StringBuilder lines = new StringBuilder();
        try (Stream<Path> all = Files.walk(runs)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                lines.append(Files.size(file))
                        .append(' ')
                        .append(Hash.of(file))
                        .append(' ')
                        .append(home.relativize(file))
                        .append('\n');
            }
        }
        return lines.toString();
    }

    private static long from(Map<String, String> query) {
        return Long.parseLong(query.getOrDefault("from", "0"));
    }

    /** Ends the run; callable from another thread. A client that follows it may fetch its results at once. */
    public void end() {
        ends = true;
        stop();
    }

    /**
     * Waits until a client has the results, or until nothing runs and no request has come for {@code patience}.
     *
     * @return the exit code of the run
     */
    public int await(Duration patience) throws InterruptedException {
        return await(patience, FOLLOWED);
    }

    /** @param followed time without a request after which it gives up once it was told to end */
    int await(Duration patience, Duration followed) throws InterruptedException {
        long glance = Math.min(Math.min(patience.toMillis(), followed.toMillis()), TimeUnit.SECONDS.toMillis(1));
        long lived = clock.getAsLong();
        while (!done.await(glance, TimeUnit.MILLISECONDS)) {
            Process running = process();
            if (running != null && running.isAlive()) {
                lived = clock.getAsLong();
            } else {
                Duration silent = ends ? followed : patience;
                if (clock.getAsLong() - Math.max(lived, asked) > silent.toNanos()) {
                    break;
                }
            }
        }
        Process ended = process();
        return ended == null || ended.isAlive() ? 1 : ended.exitValue();
    }

    /** Ends the run, too, if it still runs. */
    @Override
    public void close() {
        Process running = process();
        if (running != null) {
            running.destroy();
            try {
                if (!running.waitFor(ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                    running.destroyForcibly();
                }
            } catch (InterruptedException e) {
                running.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        server.stop(0);
        threads.shutdownNow();
    }
}
