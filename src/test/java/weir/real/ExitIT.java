package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the program ends when a run goes wrong; what is usage or preflight is tried where it is decided. */
class ExitIT {
    private static final String LOAD = """
            name: load
            cluster: { brokers: 1, heap: 256MiB }
            topics: { t: { partitions: 2 } }
            load: { workload: deliver, rate: 300/s, value: { size: 100B } }
            warmup: 1s
            measure: 40s
            accept: { generator-late: it is about how it ends }
            """;

    private static final String SINK =
            LOAD.replaceAll("cluster: .*\n", "").replace("workload: deliver", "target: null");

    @TempDir
    private Path folder;

    private Door door = new Door(Path.of(""));

    @BeforeEach
    void open() throws IOException {
        door = new Door(folder.toRealPath());
    }

    /** A run that has begun to measure. */
    private Door.Running measuring(String yaml) throws IOException {
        Door.Running run =
                door.start("run", "--short", door.file("load.yaml", yaml).toString());
        run.awaitErr("  measure");
        run.awaitErr("acked ");
        return run;
    }

    private static ProcessHandle child(Door.Running run, String main) {
        return run.process()
                .descendants()
                .filter(process -> commandLine(process).contains(main))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no child runs " + main));
    }

    /** The command line of a process, which the JDK cuts at a page, within the class path. */
    static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        } catch (IOException ended) {
            return "";
        }
    }

    private Path run() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
            return runs.findFirst().orElseThrow(() -> new AssertionError("no run"));
        }
    }

    @Test
    void aBrokerThatDiesUnaskedBreaksAPromise() throws Exception {
        Door.Running run = measuring(LOAD);
        assertThat(child(run, "BrokerMain").destroyForcibly()).isTrue();
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(5);
        assertThat(ended.err()).contains("died: it was killed (signal 9; out of memory?) after ");
    }

    @Test
    void aSignalToEndKeepsWhatWasMeasuredAndSaysHowToGoOn() throws Exception {
        Door.Running run = measuring(SINK);
        run.signal("TERM");
        Door.Ended ended = run.end();
        assertThat(ended.exit()).as(ended.err()).isEqualTo(143);
        assertThat(ended.err()).contains("what is left is done by:");
        assertThat(ended.out()).contains("interrupted");
        assertThat(run().resolve("report.html")).isRegularFile();
        assertThat(door.weir("runs").out()).contains("unfinished");
    }
}
