package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;
import weir.results.value.HostFacts;
import weir.results.value.TrialEnd;

class ResumeTest {
    private static final Property IDEMPOTENT =
            new Property("producer", "enable.idempotence", "true", "true", "true", Property.Source.YOURS);

    @TempDir
    Path dir;

    private Path file = Path.of("");
    private Path rates = Path.of("");

    @BeforeEach
    void write() throws IOException {
        rates = Files.writeString(dir.resolve("rates.csv"), "seconds,rate\n0,100\n5,200\n");
        file = Files.writeString(
                dir.resolve("e.yaml"),
                "name: e\nload: { workload: deliver, rate: { replay: rates.csv } }\nmeasure: null\n");
    }

    private Experiment experiment() {
        return PlanReader.read(file, Overrides.NONE);
    }

    private RunFolder folder() {
        Experiment experiment = experiment();
        return RunFolder.create(
                dir.resolve("runs"),
                Instant.EPOCH,
                "name: e\n",
                RequestedExperiment.of(experiment, "test", "weir run e.yaml"),
                path -> {});
    }

    @Test
    void whatWasKnownOfTheMachineStays() {
        RunFolder folder = folder();
        folder.machine(new Machine(Map.of("kafka", "4.3.1"), Map.of("base", List.of(IDEMPOTENT)), List.of()));
        RunFacts facts = new RunFacts(folder, experiment());
        facts.take(
                SyntheticTrial.of(2, "other", 1),
                new FakeLab.FakeCluster("127.0.0.1:1", true),
                List.of(RunFacts.here(1, List.of(), List.of())),
                end());
        assertThat(folder.machine().facts()).containsEntry("kafka", "4.3.1");
        assertThat(folder.machine().properties().get("base")).containsExactly(IDEMPOTENT);
        assertThat(folder.machine().hosts()).as("alone").isEmpty();
    }

    @Test
    void everyMachineThatTookPartIsNamed() {
        RunFolder folder = folder();
        HostFacts here = RunFacts.here(0, List.of(), List.of());
        HostFacts there =
                new HostFacts("a", "", 64, 256L << 30, "Linux 6.12", "17.0.17", List.of(0, 1), List.of(), List.of());
        new RunFacts(folder, experiment())
                .take(
                        SyntheticTrial.of(1, "base", 1),
                        new FakeLab.FakeCluster("127.0.0.1:1", true),
                        List.of(here, there),
                        end());
        assertThat(folder.machine().hosts()).containsExactly(here, there);
    }

    private static TrialEnd end() {
        return new TrialEnd(
                "",
                new TrialEnd.WarmedUp(0, true),
                new TrialEnd.Measured(0, 1, List.of(), null, null, null, List.of(), List.of()),
                new TrialEnd.Generator(null, null, new TreeMap<>()),
                "",
                List.of(),
                new TrialEnd.Clocks(0, 0));
    }

    @Test
    void aFileOfRatesThatWasChangedMakesAnotherLoad() throws IOException {
        RunFolder folder = folder();
        RequestedExperiment asked = folder.asked();
        folder.machine(new Machine(RunFacts.now(folder, experiment()), new TreeMap<>(), List.of()));
        assertThatCode(() -> Runner.Resume.check(folder, asked, RunFacts.now(folder, experiment()), RunLabels.NONE))
                .doesNotThrowAnyException();
        Files.writeString(rates, "seconds,rate\n0,900\n5,200\n");
        assertThatThrownBy(() -> Runner.Resume.check(folder, asked, RunFacts.now(folder, experiment()), RunLabels.NONE))
                .isInstanceOf(PreflightException.class)
                .hasMessageContaining("sha256 of rates.csv");
    }
}
