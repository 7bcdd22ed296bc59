package weir.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import weir.plan.read.Hash;

/** The client of the {@link ConductorServer} in a pod, at a port of this machine that Kubernetes forwards there. */
final class ConductorClient {
    /** Timeout: a forwarded port accepts a connection even if no process listens behind it, and then stays silent. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final Duration LARGE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String base;

    record Progress(String text, long until, OptionalInt exit) {}

    record Listed(long size, String sha256, String path) {}

    /**
     * The conductor itself.
     *
     * @param build of its Weir
     * @param clock of its node
     */
    record About(String build, Instant clock) {}

    /** A refusal that a retry would not change. */
    static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    ConductorClient(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    private HttpRequest.Builder request(String path, Duration limit) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(limit);
    }

    private String text(String path, Duration limit) throws IOException {
        return new String(
                send(request(path, limit), HttpResponse.BodyHandlers.ofByteArray())
                        .body(),
                StandardCharsets.UTF_8);
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) throws IOException {
        try {
            HttpResponse<T> response = http.send(request.build(), body);
            if (response.statusCode() != 200) {
                throw new Refused("the conductor refused "
                        + response.request().uri().getPath() + ": "
                        + (response.body() instanceof byte[] said
                                ? new String(said, StandardCharsets.UTF_8)
                                : response.statusCode()));
            }
            return response;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the conductor was asked", e);
        }
    }

    private static String encoded(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    private void post(String path) throws IOException {
        send(request(path, SOON).POST(HttpRequest.BodyPublishers.noBody()), HttpResponse.BodyHandlers.ofByteArray());
    }

    /**
     * Sends the next piece of a file to a path below the home of the conductor; returns the position of the next
     * piece.
     */
    long put(Path file, long from, String path) throws IOException {
        byte[] piece;
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(from);
            piece = in.readNBytes(ConductorServer.PIECE);
        }
        send(
                request("/file?path=" + encoded(path) + "&from=" + from, SOON)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(piece)),
                HttpResponse.BodyHandlers.ofByteArray());
        return from + piece.length;
    }

    void whole(Path file, String path) throws IOException {
        post("/whole?path=" + encoded(path) + "&sha256=" + Hash.of(file));
    }

    boolean has(String path) throws IOException {
        return text("/there?path=" + encoded(path), SOON).equals("yes");
    }

    About about() throws IOException {
        String[] words = text("/about", SOON).split(" ", 2);
        return new About(words[1], Instant.ofEpochMilli(Long.parseLong(words[0])));
    }

    void start() throws IOException {
        post("/start");
    }

    void stop() throws IOException {
        post("/stop");
    }

    void done() throws IOException {
        post("/done");
    }

    Progress progress(long from) throws IOException {
        HttpResponse<byte[]> response =
                send(request("/progress?from=" + from, SOON), HttpResponse.BodyHandlers.ofByteArray());
        byte[] said = response.body();
        // A piece may end within a character; the next piece then repeats its beginning.
        int whole = whole(said);
        OptionalInt exit = response.headers().firstValue(ConductorServer.EXIT).stream()
                .mapToInt(Integer::parseInt)
                .findFirst();
        boolean all = said.length < ConductorServer.PIECE;
        return new Progress(
                new String(said, 0, whole, StandardCharsets.UTF_8), from + whole, all ? exit : OptionalInt.empty());
    }

    private static int whole(byte[] text) {
        int end = text.length;
        int back = 0;
        while (back < 3 && back < end && (text[end - 1 - back] & 0xC0) == 0x80) {
            back++;
        }
        if (back == end) {
            return end;
        }
        int lead = text[end - 1 - back] & 0xFF;
        int needed = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
        return needed > back ? end - 1 - back : end;
    }

    List<Listed> folder() throws IOException {
        List<Listed> all = new ArrayList<>();
        for (String line : text("/folder", LARGE).lines().toList()) {
            String[] words = line.split(" ", 3);
            all.add(new Listed(Long.parseLong(words[0]), words[1], words[2]));
        }
        return all;
    }

    /** Fetches the missing pieces of a file; the complete file equals the listed one. */
    void fetch(Listed listed, Path file) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        long there = Files.exists(file) ? Files.size(file) : 0;
        if (there > listed.size()) {
            Files.delete(file);
            there = 0;
        }
        while (there < listed.size()) {
            HttpResponse<InputStream> piece = send(
                    request("/piece?path=" + encoded(listed.path()) + "&from=" + there, SOON),
                    HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream in = piece.body()) {
                int most = (int) Math.min(ConductorServer.PIECE, listed.size() - there);
                Files.write(file, in.readNBytes(most), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            long now = Files.size(file);
            if (now == there) {
                throw new IOException(
                        "'" + listed.path() + "' ends after " + there + " of " + listed.size() + " bytes");
            }
            there = now;
        }
        if (listed.size() == 0 && !Files.exists(file)) {
            Files.createFile(file);
        }
        if (!Hash.of(file).equals(listed.sha256())) {
            Files.delete(file);
            throw new IOException("'" + listed.path() + "' came with another content");
        }
    }
}
