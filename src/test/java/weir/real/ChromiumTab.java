package weir.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** A tab of Debian's chromium that stays open, controlled by its DevTools protocol. */
public final class ChromiumTab implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process browser;
    private final WebSocket socket;
    private final AtomicInteger last = new AtomicInteger();
    private final ConcurrentHashMap<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final LongAdder received = new LongAdder();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private ChromiumTab(Process browser, URI debugger) {
        this.browser = browser;
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(debugger, new Answers())
                .join();
        ask("Runtime.enable", JSON.createObjectNode());
        ask("Log.enable", JSON.createObjectNode());
        ask("Page.enable", JSON.createObjectNode());
        ask("Network.enable", JSON.createObjectNode());
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean whole) {
            text.append(part);
            if (whole) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        private void take(String message) {
            JsonNode read;
            try {
                read = JSON.readTree(message);
            } catch (IOException e) {
                throw new AssertionError(message, e);
            }
            CompletableFuture<JsonNode> waits = asked.remove(read.path("id").asInt());
            if (waits != null) {
                waits.complete(read);
            } else {
                hear(read.path("method").asText(), read.path("params"));
            }
        }

        private void hear(String method, JsonNode said) {
            switch (method) {
                case "Network.loadingFinished" ->
                    received.add(said.path("encodedDataLength").asLong());
                case "Network.eventSourceMessageReceived" ->
                    received.add(said.path("data").asText().length());
                case "Log.entryAdded" ->
                    complaints.add(said.path("entry").path("text").asText());
                case "Runtime.exceptionThrown" ->
                    complaints.add(said.path("exceptionDetails").toString());
                default -> {
                    // A message that no test asks for.
                }
            }
        }
    }

    public static ChromiumTab open(Path dir) throws IOException, InterruptedException {
        Path profile = dir.resolve("profile");
        ProcessBuilder command = new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank");
        // A killed browser leaves its socket in this folder.
        command.environment().put("TMPDIR", dir.toString());
        command.redirectErrorStream(true)
                .redirectOutput(dir.resolve("chromium.log").toFile());
        Process browser;
        try {
            browser = command.start();
        } catch (IOException e) {
            throw new AssertionError("this test needs a browser: apt-get install chromium", e);
        }
        try {
            return new ChromiumTab(browser, debugger(profile.resolve("DevToolsActivePort")));
        } catch (IOException | RuntimeException | AssertionError e) {
            browser.destroyForcibly();
            throw e;
        }
    }

    private static URI debugger(Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!Files.exists(file) || Files.readAllLines(file).size() < 2) {
            if (System.nanoTime() > end) {
                throw new AssertionError("chromium did not say where it listens");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        String port = Files.readAllLines(file).get(0);
        HttpRequest list = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        JsonNode tabs = JSON.readTree(HttpClient.newHttpClient()
                .send(list, HttpResponse.BodyHandlers.ofString())
                .body());
        for (JsonNode tab : tabs) {
            if (tab.path("type").asText().equals("page")) {
                return URI.create(tab.path("webSocketDebuggerUrl").asText());
            }
        }
        throw new AssertionError("chromium has no tab: " + tabs);
    }

    private JsonNode ask(String method, ObjectNode parameters) {
        int id = last.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", parameters);
        socket.sendText(message.toString(), true).join();
        JsonNode read = answer.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
        if (read.has("error")) {
            throw new AssertionError(method + ": " + read.path("error"));
        }
        return read.path("result");
    }

    public void go(String url) {
        ask("Page.navigate", JSON.createObjectNode().put("url", url));
    }

    /** Returns the value of an expression of the page, as text. */
    public String value(String expression) {
        JsonNode result = ask(
                "Runtime.evaluate",
                JSON.createObjectNode()
                        .put("expression", "(async () => String(await (" + expression + ")))()")
                        .put("awaitPromise", true)
                        .put("returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value").asText();
    }

    public void await(String expression, Duration most) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        // A page that does not exist yet has no result.
        String tried = "(() => { try { return " + expression + "; } catch (notYet) { return false; } })()";
        while (!value(tried).equals("true")) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not true within " + most + ": " + expression + "; the page says "
                        + value("document.body.innerText"));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    public void size(int width, int height) {
        ask(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width < 500));
    }

    void picture(Path file) throws IOException {
        JsonNode taken = ask("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"));
        Files.write(file, Base64.getDecoder().decode(taken.path("data").asText()));
    }

    /** Returns bytes from the network: compressed answers, and the data of events. */
    public long received() {
        return received.sum();
    }

    /** Returns all errors and warnings of the browser. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    @Override
    public void close() {
        socket.abort();
        // The browser's children write to the profile until they end.
        Stream.concat(browser.descendants(), Stream.of(browser.toHandle()))
                .filter(ProcessHandle::destroyForcibly)
                .toList()
                .forEach(one -> one.onExit().orTimeout(10, TimeUnit.SECONDS).join());
    }
}
