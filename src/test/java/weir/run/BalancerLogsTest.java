package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.run.disturbance.TrialNotes;

class BalancerLogsTest {
    private static final String DOWN =
            "[WARNING]  (16370) : Server gateways/gateway-1 is DOWN, reason: Layer4 connection"
                    + " problem, info: \"Connection refused\", check duration: 0ms. 0 active and 0 backup servers left.\n"
                    + "[ALERT]    (16370) : backend 'gateways' has no server available!\n";

    @TempDir
    Path dir;

    private final List<String> told = new ArrayList<>();
    private long now = 7;

    private BalancerLogs logs(String... balancers) {
        return new BalancerLogs(dir, List.of(balancers), () -> now, new TrialNotes() {
            @Override
            public void mark(long at, String name, String text) {
                told.add(at + " " + name + ": " + text);
            }

            @Override
            public void reading(String source, String metric, double value) {}
        });
    }

    private void write(String log, String text) throws IOException {
        Files.writeString(dir.resolve(log), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void aServerThatHaproxyTakesOutAndBackIsToldOnceEach() throws IOException {
        BalancerLogs logs = logs("haproxy");
        logs.run();
        write("haproxy.log", "[NOTICE] : New worker\n" + DOWN + "[WARNING]  (16370) : Server gateways/gateway-1 is U");
        logs.run();
        now = 9;
        logs.run();
        write("haproxy.log", "P, reason: Layer7 check passed, code: 200. 1 active\n");
        logs.run();
        assertThat(told)
                .containsExactly(
                        "7 haproxy servers: Server gateways/gateway-1 is DOWN, reason: Layer4 connection problem, info:"
                                + " \"Connection refused\", check duration: 0ms",
                        "7 haproxy servers: backend 'gateways' has no server available",
                        "9 haproxy servers: Server gateways/gateway-1 is UP, reason: Layer7 check passed, code: 200");
    }

    @Test
    void whatNginxWritesForEachRequestIsToldOncePerLook() throws IOException {
        BalancerLogs logs = logs("nginx");
        String line =
                "2026/11/20 12:00:00 [error] 12#0: *%d no live upstreams while connecting to upstream, client: 127.0.0.1\n";
        write("nginx.log", line.formatted(1) + line.formatted(2));
        logs.run();
        assertThat(told).containsExactly("7 nginx servers: no live upstreams");
    }
}
