package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.measure.Reading;
import weir.plan.trial.Trial;
import weir.real.Kafkas;
import weir.real.OwnKafka;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event;
import weir.run.AgreeingListener;
import weir.run.RealRun;
import weir.run.RunListener;

/** Second loads of a real broker, with and without a quota. */
@Timeout(240)
class SecondLoadIT {
    private static final double QUOTA = 200e3;
    private static final double MIB = 1 << 20;

    @TempDir
    Path root;

    @Test
    @Tag("long")
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
        RunResult run = RealRun.of(root, plan);
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

    @Test
    void secondLoadOnAGivenClusterReadsItsRecordsAndLeavesNoTopic() throws Exception {
        Set<String> during = new TreeSet<>();
        try (OwnKafka kafka = OwnKafka.start(root.resolve("kafka"), Kafkas.of("4.4.0", 1));
                Admin admin = Admin.create(new HashMap<>(kafka.cluster().clientProperties()))) {
            RunListener listener = new AgreeingListener() {
                @Override
                public void event(Trial trial, Event event) {
                    if (event.name().equals(Event.DISTURBANCE)) {
                        during.addAll(topics(admin));
                    }
                }
            };
            RunResult run = RealRun.of(root, """
                    cluster: { bootstrap: "%s" }
                    topics: { t: { partitions: 2 } }
                    load: { rate: 100/s, producer: { acks: all } }
                    warmup: 1s
                    measure: 9s
                    during: { tenant: { at: 2s, for: 5s, load: { workload: deliver, rate: 200/s, consumers: 2 } } }
                    """.formatted(kafka.cluster().bootstrap()), listener);
            SecondLoadResult tenant = run.models(SecondLoadResult.class).get(0);
            assertThat(tenant.acked()).isBetween(160.0, 201.0);
            assertThat(tenant.received()).isBetween(0.9 * Objects.requireNonNull(tenant.acked()), 201.0);
            assertThat(tenant.e2e()).isPositive();
            assertThat(tenant.failed()).isZero();
            assertThat(run.trials().get(0).figures().count(Count.ACKED)).isEqualTo(900);
            assertThat(run.trials().get(0).figures().count(Count.FOREIGN)).isZero();
            assertThat(topics(admin)).isEmpty();
        }
        assertThat(during)
                .hasSize(2)
                .allMatch(topic -> topic.startsWith("weir-e-"))
                .anyMatch(topic -> topic.endsWith("-tenant"));
    }

    private static Set<String> topics(Admin admin) {
        return admin.listTopics()
                .names()
                .toCompletionStage()
                .toCompletableFuture()
                .join();
    }
}
