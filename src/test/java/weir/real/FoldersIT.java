package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders whose names contain characters with a meaning for Kafka, Java, log4j, nginx or a shell. */
@Timeout(120)
class FoldersIT {
    private static final String NAME = "a,b; c %p %d #${x}$(y)'z'{*}=&";
    private static final String FILE = """
            name: odd
            cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1], data: %s }
            topics: { t: { partitions: 1 } }
            bridge: { gateway: { instances: 1 }, balancer: nginx }
            load: { workload: deliver, engine: { send: http, receive: client }, rate: 100/s }
            warmup: none
            measure: 2s
            """;

    @TempDir
    private Path folder;

    private Door door = new Door(Path.of(""));

    @BeforeEach
    void open() throws IOException {
        door = new Door(Files.createDirectory(folder.toRealPath().resolve(NAME)));
    }

    private List<Path> beside() throws IOException {
        try (Stream<Path> all = Files.list(folder.toRealPath())) {
            return all.filter(path -> !path.equals(door.folder())).toList();
        }
    }

    @Test
    @Tag("alone")
    void aRunInAFolderOfAnyNameWritesThereOnly() throws Exception {
        Path data = Files.createDirectory(folder.toRealPath().resolve("data"));
        Path file = Files.writeString(folder.resolve("odd.yaml"), String.format(FILE, data));
        Door.Ended ended = door.weir("run", "--short", file.toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(beside()).containsExactlyInAnyOrder(data, file);
        assertThat(data).isEmptyDirectory();
        try (Stream<Path> runs = Files.list(door.folder().resolve("runs"))) {
            assertThat(runs.toList())
                    .singleElement()
                    .satisfies(run -> assertThat(run.resolve("trials/01-base-1/brokers/broker-1.log"))
                            .content()
                            .contains("Kafka Server started"));
        }
    }

    @Test
    @Tag("long")
    void brokersAreNotGivenAFolderThatKafkaReadsAsTwo() throws Exception {
        String asked = String.format(FILE, "null");
        Door.Ended ended =
                door.weir("run", "--short", door.file("odd.yaml", asked).toString());
        assertThat(ended.exit()).isEqualTo(3);
        // The JVM prints a note about the test's temporary folder.
        assertThat(ended.err().lines().filter(line -> !line.startsWith("NOTE: ")))
                .singleElement()
                .asString()
                .contains("has a comma, which separates folders in Kafka's log.dirs")
                .contains("--runs");
        assertThat(beside()).isEmpty();
        assertThat(door.folder().resolve("runs")).doesNotExist();
        String data = asked.replace("data: null", "data: \"/x,y\"");
        Door.Ended refused = door.weir("check", door.file("odd.yaml", data).toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("odd.yaml:2:").contains("cluster.data: '/x,y' has a comma");
    }
}
