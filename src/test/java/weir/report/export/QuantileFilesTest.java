package weir.report.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.report.SyntheticRun;
import weir.results.RunFolder;

class QuantileFilesTest {
    @TempDir
    Path root;

    @Test
    void operationsOfAllTrialsAreSortedIntoOneFileWithTheirPercentiles() throws Exception {
        RunFolder run = new SyntheticRun(root, List.of("a"), 2, new double[] {1_000}, 5).write();
        long next = 200;
        for (Path trial :
                List.of(run.trials().get(0).path(), run.trials().get(1).path())) {
            StringBuilder lines = new StringBuilder("nanoseconds\n");
            for (int i = 0; i < 100; i++) {
                lines.append(next--).append('\n');
            }
            Files.writeString(trial.resolve("operations.csv"), lines);
        }
        List<String> told = QuantileFiles.write(run, root.resolve("out"));
        assertThat(told)
                .containsExactly(
                        "a: 200 operations of 2 trials, in " + root.resolve("out/a.ns"),
                        "min: 1ns",
                        "p50: 100ns",
                        "p99: 198ns",
                        "max: 200ns");
        assertThat(Files.readAllLines(root.resolve("out/a.ns")))
                .hasSize(200)
                .startsWith("1", "2", "3")
                .endsWith("199", "200");
    }

    @Test
    void whereNoneAreKeptTheQuantilesAreThoseOfHistogramsAndSaySo() {
        RunFolder run = new SyntheticRun(root, List.of("a"), 1, new double[] {1_000}, 5).write();
        List<String> told = QuantileFiles.write(run, root.resolve("out"));
        assertThat(told.get(0)).contains("from histograms (within 0.1 %)");
        assertThat(told).hasSize(5);
        assertThat(root.resolve("out/a.ns")).doesNotExist();
    }
}
