package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.JavaRuntime;
import weir.host.Shields;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.property.ResolvedSecrets;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class WorkerJvmTest {
    private static final String JAR = "/lib/weir-1-2.jar";

    @TempDir
    Path folder;

    @Test
    void wireEngineBuffersAreOutsideTheHeap() throws IOException {
        WorkerJvm client = WorkerJvm.of(load("client"), List.of());
        WorkerJvm wire = WorkerJvm.of(load("wire"), List.of());

        assertThat(client.heap().bytes() - wire.heap().bytes()).isEqualTo((2 * 3 * 32L) << 20);
        assertThat(wire.flags()).anyMatch(flag -> flag.startsWith("-XX:MaxDirectMemorySize="));
        assertThat(client.flags()).noneMatch(flag -> flag.startsWith("-XX:MaxDirectMemorySize="));
    }

    @Test
    void workerForManyTrialsCompilesEarly() throws IOException {
        WorkerJvm one = WorkerJvm.of(load("client"), List.of());
        assertThat(one.flags()).anyMatch(flag -> flag.contains("Tier4"));
        assertThat(one.forMany().flags()).noneMatch(flag -> flag.contains("Tier4"));
        assertThat(one.forMany().heap()).isEqualTo(one.heap());
    }

    @Test
    void onlyWireEngineWorkersGetCpuPriority() throws IOException {
        WorkerJvm load = WorkerJvm.of(load("wire"), List.of());
        assertThat(List.of(load.share(), load.brief().share(), load.forMany().share()))
                .containsOnly(Shields.CpuShare.FIRST);
        assertThat(WorkerJvm.of(load("client"), List.of()).share()).isEqualTo(Shields.CpuShare.EQUAL);
        assertThat(WorkerJvm.gateway(Map.of(), List.of(), Limits.NONE).share()).isEqualTo(Shields.CpuShare.EQUAL);
    }

    private LoadSpec load(String engine) throws IOException {
        String file = """
                name: heap
                topics: { t: {} }
                load: { workload: produce, producers: 3, engine: %s, value: { size: 100B } }
                measure: 1s
                """.formatted(engine);
        return PlanReader.read(Files.writeString(folder.resolve(engine + ".yaml"), file), Overrides.NONE)
                .variants()
                .get(0)
                .load();
    }

    @Test
    void theFirstWorkerWritesAndTheNextOneReads() throws IOException {
        WorkerProcess.WorkerClassArchive first = in(folder);
        assertThat(first.makes()).isTrue();
        Path made = file(first.flags().get(0), "-XX:ArchiveClassesAtExit=");
        assertThat(made.getParent()).isEqualTo(folder);
        Files.writeString(made, "classes");
        first.keep();

        WorkerProcess.WorkerClassArchive second = in(folder);
        assertThat(second.makes()).isFalse();
        assertThat(file(second.flags().get(0), "-XX:SharedArchiveFile=")).hasContent("classes");
        assertThat(folder).isDirectoryNotContaining("glob:**/*." + pid() + ".jsa");
    }

    @Test
    void nextWorkerWritesTheArchiveIfTheFirstDidNot() {
        in(folder).keep();
        assertThat(in(folder).makes()).isTrue();
    }

    @Test
    void classesInFoldersAndBuildsWithoutALauncherHaveNone() {
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, "target/classes:/lib/a.jar", JavaRuntime.own())
                        .flags())
                .isEmpty();
        assertThat(in(Path.of("")).flags()).isEmpty();
        assertThat(in(folder.resolve("gone")).flags()).isEmpty();
    }

    @Test
    void runtimeWithoutAClassArchiveStartsWorkers() {
        JavaRuntime linked = new JavaRuntime(folder);
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, JAR, linked).flags())
                .isEmpty();
        assertThat(WorkerProcess.WorkerClassArchive.in(folder, JAR, linked).makes())
                .isFalse();
    }

    private static WorkerProcess.WorkerClassArchive in(Path folder) {
        return WorkerProcess.WorkerClassArchive.in(folder, JAR, JavaRuntime.own());
    }

    private static Path file(String flag, String option) {
        assertThat(flag).startsWith(option);
        return Path.of(flag.substring(option.length()));
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    @Test
    void logRedactsSecretsWrittenInPieces() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        RedactedOutput output = new RedactedOutput(written);
        output.hide(new ResolvedSecrets(List.of("my.credential"), List.of("Open-Sesame")));
        PrintStream log = output.printing();
        log.print("grüße, Open-");
        log.println("Sesame");
        log.println("next");
        assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("grüße, ***\nnext\n");
    }
}
