package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Canary;

class CanaryBenchmarksTest {
    @TempDir
    static Path folder;

    private static Canary allCores() {
        return CanaryBenchmarks.run(folder, 12_000_000, Canary.ALL_CORES::equals)
                .get(0);
    }

    @Test
    void everyCanarySingsAndLeavesNoFile() {
        List<Canary> calm = CanaryBenchmarks.run(folder, 1_000_000, name -> true);
        assertThat(calm)
                .extracting(Canary::name)
                .containsExactly(
                        CanaryBenchmarks.ONE_CORE,
                        Canary.ALL_CORES,
                        CanaryBenchmarks.MEMORY,
                        CanaryBenchmarks.FSYNC,
                        CanaryBenchmarks.ROUND_TRIP,
                        CanaryBenchmarks.LOOPBACK);
        assertThat(calm).allSatisfy(canary -> assertThat(canary.rounds()).hasSizeBetween(5, 9));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStarvedCpuDoesHalfOfTheWork() throws Exception {
        Canary calm = allCores();
        List<Process> burners = new ArrayList<>();
        try {
            // At the same priority: four for each of ours, more than the tests can be that ran beside the calm song.
            for (int core = 0; core < 4 * Runtime.getRuntime().availableProcessors(); core++) {
                burners.add(new ProcessBuilder("/bin/sh", "-c", "while :; do :; done").start());
            }
            assertThat(allCores().median()).isLessThan(0.8 * calm.median());
        } finally {
            burners.forEach(Process::destroyForcibly);
        }
    }
}
