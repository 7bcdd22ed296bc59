package weir.feature.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
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

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<String> denied = Collections.synchronizedList(new ArrayList<>());
    private volatile UnaryOperator<HasMetadata> admission = UnaryOperator.identity();
    private volatile int failing;

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

    void put(String plural, HasMetadata object) {
        objects.put(plural + "/" + object.getMetadata().getName(), object);
    }

    /** Denies a right such as "list leases". */
    void deny(String call) {
        denied.add(call);
    }

    /** Answers every request with this status from now on. */
    void fail(int status) {
        failing = status;
    }

    /** Changes each object before it is stored. */
    void admit(UnaryOperator<HasMetadata> changed) {
        admission = changed;
    }

    /** Returns the calls, such as "DELETE configmaps/x". */
    List<String> asked() {
        return List.copyOf(asked);
    }

    List<String> asked(String beginning) {
        return asked().stream().filter(call -> call.startsWith(beginning)).toList();
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String named = path.replaceAll(".*/namespaces/[^/]+/", "");
            if (path.contains("/namespaces/")) {
                asked.add(exchange.getRequestMethod() + " " + named);
            }
            String answer = failing > 0 ? "" : answer(exchange.getRequestMethod(), path, named, body);
            byte[] bytes = (answer.isEmpty() ? missing(path) : answer).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(failing > 0 ? failing : answer.isEmpty() ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String missing(String path) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"nothing at " + path
                + "\"}";
    }

    private String answer(String method, String path, String named, String body) {
        if (path.equals("/version")) {
            return "{\"gitVersion\":\"v1.2.3\"}";
        }
        if (path.endsWith("selfsubjectaccessreviews")) {
            boolean allowed = denied.stream()
                    .noneMatch(call -> body.contains("\"verb\":\"" + call.split(" ", 2)[0] + "\"")
                            && body.contains("\"resource\":\"" + call.split(" ", 2)[1] + "\""));
            return "{\"status\":{\"allowed\":" + allowed + "}}";
        }
        if (method.equals("POST")) {
            HasMetadata made = admission.apply(Serialization.unmarshal(body, HasMetadata.class));
            made.getMetadata().setUid("uid-" + objects.size());
            put(named, made);
            return Serialization.asJson(made);
        }
        if (method.equals("DELETE")) {
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
