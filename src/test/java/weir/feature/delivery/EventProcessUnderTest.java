package weir.feature.delivery;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import weir.feature.delivery.PathSpec.EventFilter;
import weir.http.RawClient;
import weir.plan.ByteSize;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.property.ResolvedSecrets;

/** An event process on its own port, and a client that calls it. */
final class EventProcessUnderTest implements AutoCloseable {
    static final String ID = "00000001" + "00000002" + "0000000000000003" + "0000000000000004";

    final EventProcess process;
    final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    EventProcessUnderTest(EventProcessSettings settings) throws IOException {
        this(EventProcess.start(settings, System::nanoTime));
    }

    /** Reports all events. */
    EventProcessUnderTest(EventProcess process) {
        this.process = process;
        process.limitTimes(0, Long.MAX_VALUE);
    }

    static EventProcessUnderTest start(EventProcessSettings.Role role, PathSpec dispatch, String... next)
            throws IOException {
        return new EventProcessUnderTest(settings(role, dispatch, "", next));
    }

    static EventProcessSettings settings(
            EventProcessSettings.Role role, PathSpec dispatch, String deadLetters, String... next) {
        return new EventProcessSettings(
                role,
                0,
                List.of(next),
                dispatch,
                new TreeMap<>(),
                new TreeMap<>(),
                "events",
                deadLetters,
                0,
                ResolvedSecrets.NONE);
    }

    static PathSpec dispatch() {
        return dispatch(0, List.of(), 64 << 20);
    }

    static PathSpec dispatch(int retry, List<EventFilter> filters, long memory) {
        return new PathSpec(
                PathSpec.DeliveryPath.MEMORY_BROKER,
                1,
                PathSpec.Order.NONE,
                100,
                retries(retry),
                filters,
                255,
                new ByteSize(memory),
                Limits.NONE,
                new TreeMap<>(),
                new TreeMap<>(),
                new PlacedSpec.Here());
    }

    static PathSpec.RetrySpec retries(int retry) {
        return new PathSpec.RetrySpec(
                retry,
                PathSpec.BackoffPolicy.EXPONENTIAL,
                Duration.ofMillis(1),
                Duration.ofSeconds(10),
                Duration.ZERO,
                "");
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + process.address().getPort() + path);
    }

    /** Makes an event of type {@code t} with additional headers. */
    HttpRequest event(String body, String... more) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri("/any/path"))
                .timeout(Duration.ofSeconds(10))
                .headers("ce-id", ID, "ce-source", "/weir", "ce-type", "t", "ce-specversion", "1.0");
        if (more.length > 0) {
            request.headers(more);
        }
        return request.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    HttpResponse<String> post(String body, String... more) throws IOException, InterruptedException {
        return client.send(event(body, more), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> postAsync(String body, String... more) {
        return client.sendAsync(event(body, more), HttpResponse.BodyHandlers.ofString());
    }

    String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(10))
                .GET()
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Returns all figures, and resets those of the last second. */
    Map<String, Double> look() {
        Map<String, Double> all = new TreeMap<>();
        process.report(all::put);
        return all;
    }

    double figure(String name) {
        Double value = look().get(name);
        if (value == null) {
            throw new AssertionError("no figure " + name);
        }
        return value;
    }

    void await(String name, double value) throws InterruptedException {
        while (figure(name) != value) {
            Thread.sleep(1);
        }
    }

    RawClient raw() throws IOException {
        return new RawClient(process.address());
    }

    @Override
    public void close() {
        process.close();
    }
}
