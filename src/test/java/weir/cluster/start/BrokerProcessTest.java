package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import weir.cluster.NodeSetting;
import weir.host.JavaRuntime;

class BrokerProcessTest {
    private static final String WARNING = "[0.103s][warning][cds] Unable to use shared archive.";
    private static final String SETTINGS = "2026-11-20 11:19:41,003 INFO KafkaConfig values:";
    private static final String SETTING = "\tnum.io.threads = many";
    private static final String FAULT = "Exception in thread \"main\" java.lang.IllegalStateException: no";
    private static final String TRACE = "\tat kafka.Kafka.main(Kafka.java)";

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
    void whatABrokerDiedOfIsToldAndNotWhatItWasDoing() {
        assertThat(BrokerProcess.telling(List.of(WARNING, SETTINGS, SETTING, FAULT, TRACE)))
                .containsExactly(FAULT, TRACE);
        assertThat(BrokerProcess.telling(List.of(SETTINGS, SETTING, "2026-11-20 11:19:41,004 ERROR it broke", TRACE)))
                .containsExactly("2026-11-20 11:19:41,004 ERROR it broke", TRACE);
    }

    @Test
    void theFaultIsToldHoweverLongTheShutdownGoesOnBehindIt() {
        String fatal = "2026-11-20 11:19:41,004 ERROR Fatal error during startup. Prepare to shutdown (kafka.Server)";
        String cause = "org.apache.kafka.common.KafkaException: Socket server failed to bind to 127.0.0.1:9092";
        String below = "Caused by: java.net.BindException: Address already in use";
        List<String> log = new ArrayList<>(List.of(SETTINGS, fatal, cause));
        log.addAll(Collections.nCopies(40, TRACE));
        log.add(below);
        for (int i = 0; i < 40; i++) {
            log.add("2026-11-20 11:19:42,000 WARN closing part " + i);
            log.add("2026-11-20 11:19:42,000 ERROR part " + i + " is not open");
        }
        assertThat(BrokerProcess.telling(log))
                .startsWith(fatal, cause, TRACE, TRACE, below)
                .hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void aBrokerThatOnlyWarnsIsToldByItsWarnings() {
        String warning = "2026-11-20 11:19:41,004 WARN the disk is slow";
        assertThat(BrokerProcess.telling(List.of(WARNING, SETTINGS, warning, SETTING)))
                .containsExactly(WARNING, warning, SETTING);
    }

    @Test
    void aBrokerThatOnlyInformsIsToldAsItIs() {
        assertThat(BrokerProcess.telling(List.of(SETTINGS, SETTING))).containsExactly(SETTINGS, SETTING);
    }

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
