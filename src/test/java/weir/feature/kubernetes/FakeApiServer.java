package weir.feature.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** An API server that stores the objects of one namespace and creates no pods. */
final class FakeApiServer implements AutoCloseable {
    private final HttpServer server;
    /** By PLURAL/NAME. */
    private final Map<String, HasMetadata> objects = Collections.synchronizedMap(new TreeMap<>());

    private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> refused = Collections.synchronizedMap(new TreeMap<>());
    private final List<String> denied = Collections.synchronizedList(new ArrayList<>());
    private volatile UnaryOperator<HasMetadata> admission = UnaryOperator.identity();
    private volatile int failing;

    record Request(String method, String path, String body) {
        /** Returns the name of the object, or the kind of the objects. */
        String named() {
            return path.replaceAll(".*/namespaces/[^/]+/", "");
        }

        String call() {
            return method + " " + named();
        }
    }

    FakeApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config()).build();
    }

    /** Adds the objects of a run that its conductor reads or changes; the uid of the owner is uid-1. */
    void begin(RunObjects run) {
        HasMetadata owner = run.owner();
        owner.getMetadata().setUid("uid-1");
        put("configmaps", owner);
        put("leases", run.owned(true).get(0));
        put("secrets", run.owned(true).get(1));
    }

    void put(String plural, HasMetadata object) {
        objects.put(plural + "/" + object.getMetadata().getName(), object);
    }

    /** Denies a right such as "list leases". */
    void deny(String call) {
        denied.add(call);
    }

    /** Refuses a call such as "POST jobs" with this message. */
    void refuse(String call, String message) {
        refused.put(call, message);
    }

    /** Answers every request with this status from now on. */
    void fail(int status) {
        failing = status;
    }

    /** Changes each object before it is stored. */
    void admit(UnaryOperator<HasMetadata> changed) {
        admission = changed;
    }

    /** Returns the requests about objects of a namespace. */
    List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Returns the calls that begin with this text, such as "DELETE configmaps/x". */
    List<String> asked(String beginning) {
        return requests().stream()
                .map(Request::call)
                .filter(call -> call.startsWith(beginning))
                .toList();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            Request request = new Request(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            if (request.path().contains("/namespaces/")) {
                requests.add(request);
            }
            int status = refused.containsKey(request.call()) ? 403 : failing;
            String answer = status > 0 ? "" : answer(request);
            String refusal = refused.getOrDefault(request.call(), "nothing at " + request.path());
            byte[] bytes = (answer.isEmpty() ? failure(refusal) : answer).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(status > 0 ? status : answer.isEmpty() ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String failure(String message) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"" + message + "\"}";
    }

    private String answer(Request request) {
        String named = request.named();
        if (request.path().equals("/version")) {
            return "{\"gitVersion\":\"v1.2.3\"}";
        }
        if (request.path().endsWith("selfsubjectaccessreviews")) {
            boolean allowed = denied.stream()
                    .noneMatch(call -> request.body().contains("\"verb\":\"" + call.split(" ", 2)[0] + "\"")
                            && request.body().contains("\"resource\":\"" + call.split(" ", 2)[1] + "\""));
            return "{\"status\":{\"allowed\":" + allowed + "}}";
        }
        if (request.method().equals("POST")) {
            HasMetadata made = admission.apply(Serialization.unmarshal(request.body(), HasMetadata.class));
            made.getMetadata().setUid("uid-" + objects.size());
            put(named, made);
            return Serialization.asJson(made);
        }
        if (request.method().equals("DELETE")) {
            HasMetadata gone = objects.remove(named);
            if (gone != null) {
                // Objects that the deleted object owns go, too.
                objects.values()
                        .removeIf(object -> object.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner -> owner.getName()
                                        .equals(gone.getMetadata().getName())));
            }
            return gone == null ? "" : Serialization.asJson(gone);
        }
        if (named.contains("/")) {
            HasMetadata found = objects.get(named);
            return found == null ? "" : Serialization.asJson(found);
        }
        synchronized (objects) {
            return "{\"items\":["
                    + objects.entrySet().stream()
                            .filter(each -> each.getKey().startsWith(named + "/"))
                            .map(each -> Serialization.asJson(each.getValue()))
                            .collect(Collectors.joining(","))
                    + "]}";
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
