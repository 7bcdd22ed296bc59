package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.Plans;

/** Speaks to an API server that notes what it is asked for, and answers what it was sent. */
class ConductorApiTest {
    private static final RunIdentity RUN = RunIdentity.of("x", "load-tests");
    private static final Experiment EXPERIMENT = Plans.read(
            "name: x\nplaced: kubernetes\nkubernetes: { image: weir, namespace: load-tests }\nload: { rate: 1/s }");

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<String> bodies = Collections.synchronizedList(new ArrayList<>());

    private void speak(Consumer<ConductorApi> what) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        try {
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build();
            try (ConductorApi api = new ConductorApi(
                    new KubernetesClientBuilder().withConfig(config).build(), RUN)) {
                what.accept(api);
            }
        } finally {
            server.stop(0);
        }
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(call(exchange.getRequestMethod(), uri.getPath()) + " " + uri.getPath());
            bodies.add(body);
            String name = uri.getPath().substring(uri.getPath().lastIndexOf('/') + 1);
            byte[] answer = (exchange.getRequestMethod().equals("POST")
                            ? body
                            : "{\"metadata\":{\"name\":\"" + name + "\",\"uid\":\"uid-1\"},\"items\":[]}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As Kubernetes calls it when it asks a Role: the verb, and the kind of object with its group. */
    private static String call(String method, String path) {
        List<String> parts = List.of(path.substring(1).split("/"));
        String group = parts.get(0).equals("apis") ? parts.get(1) : "";
        List<String> below = parts.subList(parts.indexOf("namespaces") + 2, parts.size());
        String verb = switch (method) {
            case "GET" -> below.size() == 1 ? "list" : "get";
            case "POST" -> "create";
            default -> method.toLowerCase(Locale.ROOT);
        };
        return verb + " " + below.get(0) + (group.isEmpty() ? "" : "." + group);
    }

    private Set<String> calls() {
        return asked.stream().map(line -> line.replaceFirst(" /.*", "")).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theConductorAsksForWhatItsRoleAllowsAndForNothingElse() throws IOException {
        speak(api -> {
            RunObjects objects = new RunObjects(api.owned(), EXPERIMENT, "", List.of());
            objects.hosts("10.0.0.1:7411").forEach(api::make);
            PodSets.of(EXPERIMENT).all().forEach(api::delete);
            api.fillToken("keys");
            api.renewLease(ZonedDateTime.parse("2026-01-02T03:04:05.5+01:00"));
            api.pods();
            api.events("weir-x-load-0-abcde");
        });
        assertThat(calls())
                .isEqualTo(UserCall.ofConductors().map(UserCall::text).collect(Collectors.toCollection(TreeSet::new)));
        assertThat(asked).allSatisfy(line -> assertThat(line).contains("/namespaces/load-tests/"));
        assertThat(bodies)
                .anySatisfy(body -> assertThat(body).contains("\"data\":{\"token\":\"a2V5cw==\"}"))
                .anySatisfy(body -> assertThat(body).contains("\"renewTime\":\"2026-01-02T02:04:05.500000Z\""))
                .anySatisfy(body -> assertThat(body).contains("\"uid\":\"uid-1\""));
    }

    @Test
    void whatHasANameBeforeTheRunIsAllowedByThatNameOnly() {
        Role role = (Role)
                new RunObjects(RUN, EXPERIMENT, "", List.of()).conductor().get(4);
        assertThat(role.getRules())
                .flatExtracting(PolicyRule::getResourceNames)
                .containsExactly("weir-x", "weir-x-token", "weir-x");
        assertThat(role.getRules()).allSatisfy(rule -> {
            assertThat(rule.getVerbs()).isNotEmpty().doesNotContain("*");
            assertThat(rule.getResources()).hasSize(1).doesNotContain("*");
            boolean named = rule.getVerbs().stream().anyMatch(Set.of("get", "patch")::contains);
            assertThat(rule.getResourceNames().isEmpty()).isEqualTo(!named);
        });
    }
}
