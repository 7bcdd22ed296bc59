package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BalancerLogsTest {
    private static final String DOWN =
            "[WARNING]  (16370) : Server gateways/gateway-1 is DOWN, reason: Layer4 connection"
                    + " problem, info: \"Connection refused\", check duration: 0ms. 0 active and 0 backup servers left.\n"
                    + "[ALERT]    (16370) : backend 'gateways' has no server available!\n";

    private final Path dir;
    private final GatewayBridge.BalancerLogs logs;

    private final List<String> told = new ArrayList<>();

    BalancerLogsTest(@TempDir Path dir) {
        this.dir = dir;
        this.logs = new GatewayBridge.BalancerLogs(dir);
    }

    private void look(String balancer) {
        logs.markEvents(balancer, (name, text) -> told.add(name + ": " + text));
    }

    private void write(String log, String text) throws IOException {
        Files.writeString(dir.resolve(log), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void haproxyServerDownAndUpAreReportedOnceEach() throws IOException {
        look("haproxy");
        write("haproxy.log", "[NOTICE] : New worker\n" + DOWN + "[WARNING]  (16370) : Server gateways/gateway-1 is U");
        look("haproxy");
        told.add("later");
        look("haproxy");
        write("haproxy.log", "P, reason: Layer7 check passed, code: 200. 1 active\n");
        look("haproxy");
        assertThat(told)
                .containsExactly(
                        "haproxy servers: Server gateways/gateway-1 is DOWN, reason: Layer4 connection problem, info:"
                                + " \"Connection refused\", check duration: 0ms",
                        "haproxy servers: backend 'gateways' has no server available",
                        "later",
                        "haproxy servers: Server gateways/gateway-1 is UP, reason: Layer7 check passed, code: 200");
    }

    @Test
    void repeatedNginxErrorIsReportedOncePerReading() throws IOException {
        String line =
                "2026/11/20 12:00:00 [error] 12#0: *%d no live upstreams while connecting to upstream, client: 127.0.0.1\n";
        write("nginx.log", line.formatted(1) + line.formatted(2));
        look("nginx");
        assertThat(told).containsExactly("nginx servers: no live upstreams");
    }
}
