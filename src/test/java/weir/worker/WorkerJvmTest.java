package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Shields;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class WorkerJvmTest {
    @TempDir
    Path folder;

    @Test
    void whatTheWireEngineHasOnItsWayIsBesideTheHeap() throws IOException {
        WorkerJvm client = WorkerJvm.of(load("client"), List.of());
        WorkerJvm wire = WorkerJvm.of(load("wire"), List.of());

        assertThat(client.heap().bytes() - wire.heap().bytes()).isEqualTo((2 * 3 * 32L) << 20);
        assertThat(wire.flags()).anyMatch(flag -> flag.startsWith("-XX:MaxDirectMemorySize="));
        assertThat(client.flags()).noneMatch(flag -> flag.startsWith("-XX:MaxDirectMemorySize="));
    }

    @Test
    void oneThatCarriesManyTrialsIsCompiledAsSoonAsCanBe() throws IOException {
        WorkerJvm one = WorkerJvm.of(load("client"), List.of());
        assertThat(one.flags()).anyMatch(flag -> flag.contains("Tier4"));
        assertThat(one.forMany().flags()).noneMatch(flag -> flag.contains("Tier4"));
        assertThat(one.forMany().heap()).isEqualTo(one.heap());
    }

    @Test
    void anEngineOfOurOwnComesFirstAndWhatItMeasuresDoesNot() throws IOException {
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
}
