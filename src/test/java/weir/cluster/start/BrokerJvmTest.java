package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.cluster.NodeSetting;
import weir.host.JavaRuntime;

class BrokerJvmTest {
    private static final Node BROKER = new Node(
            1,
            true,
            true,
            NodeHome.here("127.0.0.1", Path.of("")),
            new TreeMap<>(),
            new TreeMap<>(),
            "",
            Path.of("data"),
            new TreeMap<>());
    private static final Node CONTROLLER = new Node(
            101,
            false,
            true,
            NodeHome.here("127.0.0.1", Path.of("")),
            new TreeMap<>(),
            new TreeMap<>(),
            "",
            Path.of("data"),
            new TreeMap<>());

    @Test
    void theHeapIsFixedAndTouchedAndTheCollectorIsKafkasOwn() {
        assertThat(flags(BROKER, List.of()))
                .contains("-Xms1073741824", "-Xmx1073741824", "-XX:+AlwaysPreTouch")
                .contains("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35");
    }

    @Test
    void aCollectorThatIsAskedForReplacesKafkas() {
        assertThat(flags(BROKER, List.of("-XX:+UseZGC")))
                .contains("-XX:+UseZGC")
                .doesNotContain("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20");
    }

    @Test
    void whatIsAskedForComesLastAndSoWins() {
        assertThat(flags(BROKER, List.of("-Xmx2g"))).endsWith("-Xmx2g");
    }

    @Test
    void aControllerOfItsOwnHasASmallHeap() {
        assertThat(flags(CONTROLLER, List.of())).contains("-Xmx268435456");
    }

    private static List<String> flags(Node node, List<String> asked) {
        return new BrokerJvm(JavaRuntime.own(), "jar", "Exit", Path.of("classes.jsa"), asked)
                        .flags(node, 1L << 30, Path.of("log4j2.properties"), Path.of("crash.log"), Path.of("temporary"))
                        .stream()
                        .map(NodeSetting::value)
                        .toList();
    }
}
