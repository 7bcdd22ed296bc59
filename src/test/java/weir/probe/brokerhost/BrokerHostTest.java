package weir.probe.brokerhost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.kernel.KernelFiles;

class BrokerHostTest {
    @TempDir
    private Path root;

    @BeforeEach
    void aMachineWithOneBroker() throws IOException {
        put("/proc/sys/vm/max_map_count", "65530\n");
        put("/proc/self/mountinfo", """
                22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw
                23 22 254:16 / /kafka rw,noatime - xfs /dev/vdb rw,attr2
                """);
        put(
                "/proc/7/cmdline",
                line("/usr/bin/java -Xms512m -Xmx1g -XX:+UseG1GC -Dkafka.password=secret -cp /opt/kafka.jar kafka.Kafka"
                        .concat(" /etc/server.properties --override node.id=3")
                        .split(" ", -1)));
        put("/etc/server.properties", """
                node.id=1
                log.dirs=/kafka/a
                ssl.keystore.password=secret
                """);
        put(
                "/proc/7/limits",
                "Limit  Soft Limit  Hard Limit  Units\nMax open files            20000                30000                files\n");
        put("/proc/7/status", "Name:\tjava\nVmSwap:\t2048 kB\n");
        put("/proc/7/maps", "a\nb\nc\n");
        put("/proc/7/environ", line("TOKEN=secret", "JDK_JAVA_OPTIONS= -XX:MaxRAMPercentage=75  -Xmx9g"));
        put("/proc/7/fd/0", "");
        put("/kafka/a/orders-0/00000000000000000000.log", "");
        put("/kafka/a/orders-0/00000000000000000100.log", "");
        put("/kafka/a/orders-0/00000000000000000100.index", "");
        put("/kafka/a/orders-1/00000000000000000000.log", "");
        put("/kafka/a/meta.properties", "");
        put("/proc/8/cmdline", line("grep", "kafka.Kafka", "x.properties"));
        put("/proc/9/comm", "chronyd\n");
    }

    private void put(String path, String text) throws IOException {
        Path file = root.resolve(path.substring(1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String line(String... words) {
        return String.join("\0", words) + "\0";
    }

    private BrokerHost host() throws IOException {
        return BrokerHost.of(new KernelFiles(root.toRealPath()));
    }

    @Test
    void aBrokerIsFoundWithItsFlagsLimitsAndFolders() throws IOException {
        KafkaProcess broker = only();
        assertThat(broker.name()).isEqualTo("broker 3");
        assertThat(broker.heap("ms")).contains(512.0 * (1 << 20));
        assertThat(broker.heap("mx")).contains(1024.0 * (1 << 20));
        assertThat(broker.figures())
                .containsEntry("limit.files", 20_000.0)
                .containsEntry("files", 1.0)
                .containsEntry("maps", 3.0)
                .containsEntry("swapped.mib", 2.0);
        assertThat(broker.unread()).isEmpty();
        assertThat(broker.folders()).singleElement().satisfies(folder -> {
            assertThat(folder.path()).isEqualTo("/kafka/a");
            assertThat(folder.type()).isEqualTo("xfs");
            assertThat(folder.options()).contains("noatime", "attr2");
            assertThat(folder.partitions()).isEqualTo(2);
            assertThat(folder.segments()).isEqualTo(3);
        });
    }

    @Test
    void noSecretIsKeptOfWhatABrokerIsStartedWith() throws IOException {
        assertThat(only().toString()).doesNotContain("secret");
    }

    @Test
    void flagsOfTheEnvironmentComeBeforeThoseOfTheCommandLine() throws IOException {
        assertThat(only().arguments())
                .containsExactly("-XX:MaxRAMPercentage=75", "-Xmx9g", "-Xms512m", "-Xmx1g", "-XX:+UseG1GC");
        assertThat(only().share()).isEqualTo("75");
    }

    /** The survey of a machine in a JVM with an ASCII charset, like that of a cron job. */
    static final class Ascii {
        public static void main(String[] root) throws IOException {
            BrokerHost host = BrokerHost.of(new KernelFiles(Path.of(root[0])));
            System.out.println(System.getProperty("sun.jnu.encoding") + " "
                    + host.processes().size());
        }
    }

    @Test
    void processNameOutsideTheCharsetIsSkipped() throws Exception {
        put("/proc/8/cmdline", line("/opt/caf\u00e9/serve", "x"));
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Ascii.class.getName(),
                root.toRealPath().toString());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(told.strip()).isEqualTo("ANSI_X3.4-1968 1");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aFolderThatGoesWhileItIsReadIsAnIoException() {
        IOException gone = new NoSuchFileException("/proc/7/fd");
        assertThatThrownBy(() -> KernelFiles.entries(root, file -> {
                    throw gone;
                }))
                .isSameAs(gone);
    }

    @Test
    void unreadableLogFolderIsReportedAndOthersAreRead() throws IOException {
        put("/etc/server.properties", "node.id=1\nlog.dirs=/kafka/a,/elsewhere\n");
        KafkaProcess broker = only();
        assertThat(broker.folders()).hasSize(1);
        assertThat(broker.unread())
                .singleElement()
                .asString()
                .startsWith("the log folder /elsewhere of process 7 cannot");
    }

    @Test
    void unlimitedLimitIsNotZero() throws IOException {
        put("/proc/7/limits", "Max open files            unlimited            unlimited            files\n");
        assertThat(only().figures().get("limit.files")).isGreaterThan(1e15);
    }

    @Test
    void dedicatedControllerIsNoBroker() throws IOException {
        put("/etc/server.properties", "process.roles=controller\n");
        assertThat(only().name()).isEqualTo("controller 3");
        assertThat(only().controllerOnly()).isTrue();
    }

    @Test
    void theKernelsSettingsAndTheKeeperOfTheClockAreFacts() throws IOException {
        assertThat(host().facts())
                .containsEntry("vm.max_map_count", "65530")
                .containsEntry(BrokerHost.CLOCK, "chronyd");
    }

    private KafkaProcess only() throws IOException {
        List<KafkaProcess> found = host().processes();
        assertThat(found).hasSize(1);
        return found.get(0);
    }
}
