package weir.feature.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Canary;
import weir.probe.Finding;
import weir.results.CanaryResults;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.Trials;

class CanaryHistoryTest {
    private static final Map<String, String> HERE = Map.of("cpu.model", "A", "cpu.cores", "2");

    @TempDir
    private Path root;

    private static Canary cpu(double speed) {
        return new Canary("cpu", "x/s", true, 0.1, List.of(speed));
    }

    private RunFolder run(int second, double speed, String model) {
        RunFolder run =
                Trials.folder(root, Instant.parse("2026-11-20T12:00:00Z").plusSeconds(second), Trials.asked("x"));
        run.machine(new Machine(Map.of("cpu.model", model, "cpu.cores", "2"), Map.of(), List.of()));
        run.canaries(new CanaryResults(List.of(cpu(speed)), List.of()));
        return run;
    }

    private Finding now(double speed) {
        return DoctorCommand.CanaryHistory.of(RunFolder.list(root), HERE).finding(List.of(cpu(speed)));
    }

    @Test
    void onlyRunsOfTheSameMachineAreComparedWith() {
        assertThat(now(100).verdict()).isEqualTo(Finding.Verdict.UNKNOWN);
        run(0, 100, "A");
        run(1, 106, "A");
        run(2, 500, "B");
        assertThat(now(98).verdict()).isEqualTo(Finding.Verdict.FINE);
        assertThat(now(98).figure()).isEqualTo("of 2 runs");
        assertThat(now(80).verdict()).isEqualTo(Finding.Verdict.DOUBT);
        assertThat(now(80).meaning()).contains("cpu 80.0 x/s, then 100 to 106");
        assertThat(now(130).verdict()).isEqualTo(Finding.Verdict.DOUBT);
    }

    @Test
    void aRunThatCannotBeReadIsNotComparedWith() throws Exception {
        RunFolder run = run(0, 100, "A");
        Files.writeString(run.path().resolve("canaries.json"), "{ \"before\": [ { \"rounds\": [] } ]");
        assertThat(now(50).verdict()).isEqualTo(Finding.Verdict.UNKNOWN);
    }
}
