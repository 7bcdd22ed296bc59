package weir.feature.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.measure.Reading;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.DisturbanceResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** Second loads of a real broker, with and without a quota. */
@Timeout(240)
class SecondLoadIT {
    private static final double QUOTA = 200e3;
    private static final double MIB = 1 << 20;

    @TempDir
    Path root;

    @Test
    @Tag("long")
    void secondLoadAcksInItsTimeOnlyKeepsItsQuotaAndCountsNowhereElse() throws Exception {
        // Kafka counts a quota over its windows, so the load may send the quota of one window at once. The quota is
        // low, because on a busy machine each request waits some milliseconds longer than its throttle.
        String plan = """
                cluster: { kafka: 4.4.0, heap: 256MiB, jvm: ["-XX:TieredStopAtLevel=1"], broker: { quota.window.num: 2 } }
                topics: { t: { partitions: 2 } }
                load: { workload: deliver, rate: 500/s, value: { size: 100B }, producer: { acks: all } }
                warmup: 2s
                measure: 24s
                variants:
                  free: { during: { tenant: { at: 2s, for: 20s, load: { rate: 200/s, value: { size: 1KiB } } } } }
                  limited: { during: { tenant: { at: 2s, for: 20s, quota: 200kB/s, load: { rate: max } } } }
                """;
        Path file = Files.writeString(root.resolve("e.yaml"), plan);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, Path.of(""), "test", "weir run");
        RunResult run = new Runner(PlanReader.read(file, Overrides.NONE), options, question -> true).run();
        List<SecondLoadResult> loads = run.models(SecondLoadResult.class);

        assertThat(loads).extracting(SecondLoadResult::variant).containsExactly("free", "limited");
        assertThat(loads).extracting(SecondLoadResult::failed).containsOnly(0L);
        assertThat(loads.get(0).acked()).isBetween(160.0, 200.0);
        assertThat(loads.get(0).throttle()).isZero();
        assertThat(Objects.requireNonNull(loads.get(1).mebibytes()) * MIB).isBetween(0.85 * QUOTA, 1.15 * QUOTA);
        assertThat(loads.get(1).throttle()).isPositive();
        for (TrialFolder trial : RunFolder.open(Path.of(run.run())).trials()) {
            DisturbanceResult tenant = trial.result().disturbances().get(0);
            List<Reading> acked = new ArrayList<>();
            trial.readings(
                    (source, metric) -> source.equals("tenant (load)") && metric.equals(SecondLoadRun.ACKED_IN_SECOND),
                    acked::add);
            assertThat(acked)
                    .extracting(Reading::second)
                    .allSatisfy(second -> assertThat(second).isBetween(tenant.from(), tenant.to()));
            assertThat(trial.result().figures().count(Count.ACKED)).isEqualTo(12_000);
            assertThat(trial.result().figures().count(Count.LOST)).isZero();
            assertThat(trial.result().figures().count(Count.FOREIGN)).isZero();
            assertThat(trial.path().resolve("load-tenant/worker.log")).exists();
        }
    }
}
