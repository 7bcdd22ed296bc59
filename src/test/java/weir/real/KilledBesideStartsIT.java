package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Journal;

/** Five runs that are killed at random moments, each beside a starting run, which must not fail. */
@Tag("alone")
class KilledBesideStartsIT {
    private static final int ROUNDS = 5;
    private static final long SECOND = 1_000_000_000L;
    private static final String DOOMED = """
            name: doomed
            cluster: { heap: 128MiB }
            topics: { t: { partitions: 2 } }
            load: { workload: produce, rate: 200/s, value: { size: 100B }, producer: { compression.type: lz4 } }
            warmup: none
            measure: 30s
            """;
    private static final String SURVIVOR = """
            name: survivor
            load: { workload: produce, target: null, rate: 100/s, producer: { compression.type: lz4 } }
            warmup: none
            measure: 1s
            accept:
              generator-late: two runs start on this machine at the same time
              rate-missed: the same
              not-steady: the same
            """;

    @TempDir
    private Path folder;

    @Test
    void concurrentStartsSurviveKilledRunsAndCleanUp() throws Exception {
        Door door = new Door(folder.toRealPath());
        String doomed = door.file("doomed.yaml", DOOMED).toString();
        String survivor = door.file("survivor.yaml", SURVIVOR).toString();
        SplittableRandom random = new SplittableRandom(14);
        List<Door.Running> survivors = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Door.Running victim = door.start("run", "--short", doomed);
            // From the JVM's start to a broker that writes.
            LockSupport.parkNanos(random.nextLong(SECOND / 4, 3 * SECOND));
            survivors.add(door.start("run", "--short", survivor));
            LockSupport.parkNanos(random.nextLong(SECOND));
            victim.process().destroyForcibly().waitFor();
        }
        for (Door.Running started : survivors) {
            Door.Ended ended = started.end();
            assertThat(ended.exit()).as(ended.err()).isZero();
            assertThat(ended.err()).doesNotContain("could not be deleted");
        }
        Door.Ended cleaned = door.weir("doctor", "--clean");
        assertThat(cleaned.exit()).as(cleaned.out() + cleaned.err()).isZero();

        assertThat(Journal.leftovers(door.state().resolve("weir"))).isEmpty();
        assertThat(below(door.state())).as("journals, folders of clusters").isEmpty();
        assertThat(below(door.temporary())).isEmpty();
        assertThat(below(door.folder().resolve("runs")))
                .as("data of brokers")
                .noneMatch(path -> path.toString().contains("data-cluster"));
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse(""))
                        .filter(line -> line.contains(door.folder().toString())))
                .isEmpty();
    }

    /** Returns all files below it, without the folders of journals. */
    private static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> !path.equals(folder) && !path.endsWith("weir/journal") && !path.endsWith("weir"))
                    .toList();
        }
    }
}
