package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Canary;
import weir.plan.CaveatType;
import weir.plan.Experiment;
import weir.plan.Overrides;
import weir.plan.PlanReader;
import weir.results.Asked;
import weir.results.Canaries;
import weir.results.Caveat;
import weir.results.RunFolder;

class CanaryWatchTest {
    private static Canary cpu(double speed) {
        return new Canary("cpu, all cores", "M steps/s", true, 0.1, List.of(speed, speed * 1.01, speed * 0.99));
    }

    private static List<Caveat> caveats(double before, double after) {
        return MachineDoubts.drifted(new Canaries(List.of(cpu(before)), List.of(cpu(after))).drifted());
    }

    @Test
    void onlyTheShortFormOfAnExperimentIsMeasuredWithoutCanaries(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("e.yaml"), "name: e\ncluster: { brokers: 1 }\ntopics: { t: {} }\n");
        assertThat(before(folder.resolve("whole"), file, Overrides.NONE)).isNotEmpty();
        assertThat(before(folder.resolve("short"), file, Overrides.SHORT)).isEmpty();
    }

    private static List<Canary> before(Path root, Path file, Overrides overrides) {
        Experiment experiment = PlanReader.read(file, overrides);
        RunFolder run = RunFolder.create(root, Instant.EPOCH, "name: e\n", Asked.of(experiment, "weir", "weir run"));
        new CanaryWatch(run, experiment, note -> {}).before();
        return run.canaries().before();
    }

    @Test
    void aMachineThatWorksAtAnotherSpeedAfterwardsIsNoisyAndOneThatDoesNotIsNot() {
        assertThat(caveats(1_200, 1_180)).isEmpty();
        assertThat(caveats(1_200, 600)).singleElement().satisfies(caveat -> {
            assertThat(caveat.type()).isEqualTo("host-noisy");
            assertThat(caveat.level()).isEqualTo(CaveatType.Level.DOUBT);
            assertThat(caveat.evidence()).contains("cpu, all cores 1,200 before, 600 M steps/s after");
            assertThat(caveat.trial()).isNull();
        });
        assertThat(caveats(600, 1_200)).as("a faster one is another one, too").hasSize(1);
    }
}
