package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.host.Journal;
import weir.host.ProcessId;
import weir.plan.ClusterSpec;

class NamedClusterTest {
    private static final NamedCluster STARTED = new NamedCluster(
            "dup", "4.3.1", "127.0.0.1:1", Path.of("c"), Path.of("l"), List.of(), List.of(), List.of());

    @TempDir
    private Path state;

    /** Starts a cluster in a process of its own, until its standard input ends or it is killed. */
    static final class Starting {
        private Starting() {}

        public static void main(String[] arguments) {
            NamedCluster.alone("dup", Path.of(arguments[0]), () -> {
                try {
                    System.out.println("starting");
                    var unused = System.in.read();
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
                return STARTED;
            });
        }
    }

    private NamedCluster start(String name) {
        return NamedCluster.alone(name, state, () -> STARTED);
    }

    private void refused() {
        assertThatThrownBy(() -> start("dup"))
                .isInstanceOf(ClusterUnavailable.class)
                .hasMessageContaining("a cluster 'dup' is being started by another weir")
                .hasMessageContaining("give this one another name");
    }

    @Test
    void ofTwoProcessesThatStartOneNameAtOnceOneIsRefusedUntilTheOtherEnds() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starting.class.getName(),
                        state.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("starting");
            refused();
            assertThat(start("another")).isSameAs(STARTED);
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(start("dup")).isSameAs(STARTED);
    }

    @Test
    void aStartThatFailsLeavesNoFolder() {
        try (Journal journal = Journal.open(state)) {
            ClusterSpec tooOld = BrokerClassArchive.smallest("2.6.0");
            assertThatThrownBy(() ->
                            NamedCluster.start("bad", tooOld, state, journal, what -> {}, NamedCluster.Companion.NONE))
                    .hasMessageContaining("from 2.7.0 on");
        }
        assertThat(state.resolve("clusters")).isDirectoryNotContaining("glob:**bad-*");
    }

    @Test
    void oneThatIsBeingStartedHereIsNotStartedAgainAndMayBeAfterItFailed() {
        Supplier<NamedCluster> failing = () -> {
            refused();
            throw new ClusterUnavailable("no Kafka");
        };
        assertThatThrownBy(() -> NamedCluster.alone("dup", state, failing)).hasMessage("no Kafka");
        assertThat(start("dup")).isSameAs(STARTED);
    }

    @Test
    void aClusterThatIsStoppedBetweenTwoLooksIsNotThere() throws Exception {
        Path folder = Files.createDirectories(state.resolve("clusters/dup-1"));
        Files.createSymbolicLink(folder.resolve("cluster.properties"), folder.resolve("gone"));
        Files.createDirectories(state.resolve("clusters/empty"));
        assertThat(NamedCluster.list(state)).isEmpty();
    }

    @Test
    void whatServesItsMetricsIsNoProcessOfTheCluster() throws Exception {
        ProcessId here = ProcessId.of(ProcessHandle.current().pid());
        Path folder = Files.createDirectories(state.resolve("clusters/dup-1"));
        String id = here.pid() + " " + here.started();
        Files.writeString(
                folder.resolve("cluster.properties"),
                "name=dup\nprocesses=999999999 boot:1," + id.replace("\\", "\\\\") + "\ncompanions=" + id + "\n");
        NamedCluster cluster = NamedCluster.list(state).get(0);
        assertThat(cluster.processes()).hasSize(2);
        assertThat(cluster.running()).isEqualTo(1);
        assertThat(cluster.companions()).containsExactly(here);
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        assertThatThrownBy(() -> start("../up")).hasMessageContaining("'../up' is no name for a cluster");
    }
}
