package weir.feature.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.RealRun;

/** The section {@code shape} of an experiment on a real broker. */
@Timeout(120)
class ShapeComparisonIT {
    @TempDir
    Path root;

    @Test
    @Tag("long")
    void recordsInKafkaHaveTheRequestedDistributions() throws Exception {
        RunResult run = RealRun.of(root, """
                cluster: { kafka: 4.4.0, controllers: combined, heap: 256MiB, jvm: ["-XX:TieredStopAtLevel=1"] }
                topics: { t: { partitions: 3 } }
                load:
                  rate: 500/s
                  value: { size: { 100B: 50%, 1KiB: 30%, 4000B: 20% } }
                  key: { skewed: { distinct: 100, exponent: 1.1 } }
                  producer: { compression.type: lz4 }
                  shape: { read: 5MB/s }
                warmup: 2s
                measure: 8s
                """);
        RunFolder folder = RunFolder.resolve(root.resolve("runs"), "e");
        ShapeComparison.Result result =
                ShapeComparison.Result.of(folder.trials().get(0)).get(0);
        assertThat(result.notes()).isEmpty();
        assertThat(result.rows().stream().map(ShapeComparison.Row::property).toList())
                .contains("arrivals over time", "sizes of values", "sizes of keys", "keys", "codec of batches");
        assertThat(result.rows())
                .allSatisfy(row -> assertThat(row.distance()).as(row.toString()).isLessThan(0.1));
        assertThat(List.of(
                        result.rows().get(2).requested(), result.rows().get(2).found()))
                .allSatisfy(sizes -> assertThat(sizes).startsWith("100B..4000B"));
        assertThat(run.trials()).hasSize(1);
    }
}
