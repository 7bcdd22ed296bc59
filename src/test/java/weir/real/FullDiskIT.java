package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs with folder and state on a full disk: a file system in memory that only they see. */
@Timeout(120)
class FullDiskIT {
    private static final String FULL = "No space left on device";
    private static final String LOAD = """
            name: full
            load: { workload: produce, rate: 300/s, %s }
            warmup: none
            measure: 12s
            """;
    private static final String ON_NULL_TARGET = String.format(LOAD, "target: null");
    private static final String ON_A_BROKER = String.format(LOAD, "producers: 1") + """
            cluster: { heap: 256MiB, jvm: [-XX:TieredStopAtLevel=1] }
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void namespaces() throws Exception {
        assumeTrue(
                new ProcessBuilder("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", folder.toString())
                                .start()
                                .waitFor()
                        == 0,
                "this user may not mount");
    }

    private Door.Running run(String size, String file, String... options) throws IOException {
        Door door = new Door(folder.toRealPath());
        Files.createDirectories(folder.resolve("runs"));
        String mounted = "mount -t tmpfs -o size=" + size + " tmpfs runs"
                + " && export XDG_STATE_HOME=\"$PWD/runs/state\" && exec \"$@\"";
        return door.start(
                List.of("unshare", "-m", "sh", "-c", mounted, "sh"),
                Stream.concat(Stream.of("run", door.file("full.yaml", file).toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Fills the disk after some measured seconds. */
    private void fill(Door.Running run) throws IOException {
        Path runs = Path.of("/proc/" + run.process().pid() + "/root" + folder.toRealPath(), "runs");
        boolean measures = false;
        while (!measures) {
            assertThat(run.process().isAlive()).as(Files.readString(run.err())).isTrue();
            LockSupport.parkNanos(100_000_000);
            try (Stream<Path> all = Files.list(runs)) {
                for (Path one : all.toList()) {
                    Path windows = one.resolve("trials/01-base-1/windows.csv.part");
                    measures |=
                            Files.exists(windows) && Files.readAllLines(windows).size() > 3;
                }
            }
        }
        byte[] piece = new byte[1 << 16];
        try (OutputStream filler = Files.newOutputStream(runs.resolve("filler"))) {
            while (true) {
                filler.write(piece);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining(FULL);
        }
    }

    @Test
    @Tag("long")
    void fullDiskReportsEarlierSecondsAndTheResumeCommand() throws Exception {
        Door.Running run = run("20m", ON_A_BROKER, "--short");
        fill(run);
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(4);
        assertThat(ended.out()).contains("Unfinished").contains("acked");
        assertThat(ended.err()).contains(FULL).contains("--resume runs/");
    }

    @Test
    @Tag("alone")
    void fullDiskIsReportedInJsonAndMachineBenchmark() throws Exception {
        Door.Running run = run("20m", ON_NULL_TARGET, "--format", "json", "--out", "junit=runs/junit.xml");
        fill(run);
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(4);
        assertThat(new ObjectMapper().readTree(ended.out()).get("trials")).hasSize(1);
        assertThat(ended.err())
                .contains("--resume runs/")
                .contains("writing runs/junit.xml: " + FULL)
                // Only the benchmarks after the run failed: those before it had space.
                .containsOnlyOnce("the machine benchmarks failed, so the report has no baseline: ")
                .doesNotContain("Exception");
    }

    @Test
    void runWithoutDiskSpaceIsRefused() throws Exception {
        Door.Ended ended = run("1m", ON_NULL_TARGET).end();
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err()).contains("the files of the run may take ").contains("free above its reserve of 5 %");
    }
}
