package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Children;
import weir.host.Command;
import weir.host.FakeMachine;
import weir.host.Journal;
import weir.host.LocalChild;
import weir.host.LocalHost;
import weir.measure.LoadListener;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.property.ResolvedSecrets;
import weir.worker.BridgeStart;
import weir.worker.ServerAssignment;
import weir.worker.ServerSite;
import weir.worker.SpokenLink;
import weir.worker.StartedWorker;
import weir.worker.WorkerJvm;

class GatewayBridgeTest {
    private static final Path ABSENT = Path.of("");

    @Test
    void missingBalancersAreReportedWithTheirPackages() {
        List<GatewaySpec.Balancer> chain =
                List.of(GatewaySpec.Balancer.NGINX, GatewaySpec.Balancer.HAPROXY, GatewaySpec.Balancer.NGINX);
        GatewaySpec asked = new GatewaySpec(
                1,
                GatewaySpec.Answer.ACKED,
                Limits.NONE,
                Collections.emptySortedMap(),
                chain,
                ABSENT,
                new PlacedSpec.Here());
        assertThat(GatewayBridge.missing(asked, FakeMachine.large())).isEmpty();
        assertThat(GatewayBridge.missing(asked, FakeMachine.large().without("nginx")))
                .containsExactly("balancer: program 'nginx' is not on the PATH; install it, as with apt install nginx");
    }

    /** The balancer cannot start, because its file is missing. By then each gateway has answered. */
    @Test
    void eachGatewayAnswersOnceBeforeTheFirstBalancerIsStarted(@TempDir Path folder) throws Exception {
        GatewaySpec asked = new GatewaySpec(
                2,
                GatewaySpec.Answer.ACKED,
                Limits.NONE,
                Collections.emptySortedMap(),
                List.of(GatewaySpec.Balancer.HAPROXY),
                folder.resolve("absent.cfg"),
                new PlacedSpec.Here());
        Journal journal = Journal.open(folder);
        try (Children children = Children.open(journal);
                ServedGateways gateways = new ServedGateways(children)) {
            BridgeStart trial = new BridgeStart(
                    Plans.only("load: {}"),
                    own -> own,
                    topic -> topic,
                    "",
                    List.of(),
                    0,
                    ResolvedSecrets.NONE,
                    folder,
                    LoadListener.NONE);
            assertThatThrownBy(() -> GatewayBridge.start(asked, trial, name -> gateways.site()))
                    .hasMessageStartingWith("starting a balancer: ")
                    .hasMessageContaining("absent.cfg");
            assertThat(gateways.questions).containsExactly("/healthz", "/healthz");
        }
    }

    /** Gateways whose processes sleep, while the test serves at their addresses. */
    private static final class ServedGateways implements AutoCloseable {
        private final Children children;
        private final List<HttpServer> servers = new ArrayList<>();
        final List<String> questions = new CopyOnWriteArrayList<>();

        ServedGateways(Children children) {
            this.children = children;
        }

        ServerSite site() {
            return new ServerSite(new LocalHost(children), properties -> properties, this::start);
        }

        private StartedWorker start(WorkerJvm jvm, String name, Path log) {
            LocalChild child = children.start(new Command(name, List.of("sleep", "60"), log, Command.Output.LOGGED));
            return SpokenLink.server(child, this::serve);
        }

        private void serve(ServerAssignment assignment) {
            try {
                HttpServer server = HttpServer.create(new InetSocketAddress(assignment.host(), assignment.port()), 0);
                servers.add(server);
                server.createContext("/", exchange -> {
                    questions.add(exchange.getRequestURI().getPath());
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
                server.start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            servers.forEach(server -> server.stop(0));
        }
    }
}
