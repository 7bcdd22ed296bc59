package weir.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.cluster.start.EmbeddedCluster;
import weir.measure.Count;
import weir.measure.Reading;
import weir.plan.Experiment;
import weir.plan.property.Property;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.report.TextReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.CatchUpResult;
import weir.results.value.Caveat;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** Procedures by which people have misled themselves, and other reasons of a real broker for doubt. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.CONCURRENT)
class DoubtIT {
    private static final Path PROCEDURES = Path.of("src/test/resources/weir/run/procedures");

    private static EmbeddedCluster kafka;

    @TempDir
    Path root;

    @BeforeAll
    static void start(SharedKafka.Clusters clusters) {
        kafka = clusters.one();
    }

    private RunResult run(Path file, double maxRate, String bootstrap, String... set) {
        Overrides overrides = new Overrides(List.of(set), List.of(), bootstrap, "", List.of(), true);
        Experiment experiment = PlanReader.read(file, overrides);
        RunOptions options = new RunOptions(root.resolve("runs"), true, maxRate, 0, Path.of(""), "test", "weir run");
        return new Runner(experiment, options, question -> true).run();
    }

    private RunResult procedure(String name) {
        return run(PROCEDURES.resolve(name + ".yaml"), 10_000_000, kafka.bootstrap());
    }

    private RunResult load(String load, double maxRate, String... set) throws Exception {
        Path file = Files.writeString(
                root.resolve("load.yaml"),
                "name: load\ntopics: { t: {} }\nload: " + load + "\nwarmup: 0s\nmeasure: 2s\n");
        return run(file, maxRate, kafka.bootstrap(), set);
    }

    private static Set<String> types(RunResult result) {
        return result.caveats().stream().map(Caveat::type).collect(Collectors.toSet());
    }

    private static Caveat only(RunResult result, CaveatType type) {
        List<Caveat> found =
                result.caveats().stream().filter(caveat -> caveat.is(type)).toList();
        assertThat(found).as(result.toJson()).hasSize(1);
        return found.get(0);
    }

    @Test
    @Tag("long")
    @Tag("long")
    void coldBaselineAgainstAWarmVariantRaisesACaveat() {
        RunResult result = run(PROCEDURES.resolve("cold-baseline.yaml"), 0, "");
        Caveat cold = only(result, CaveatType.named("first-trial-cold"));
        assertThat(cold.trial()).isEqualTo(1);
        assertThat(only(result, CaveatType.named("few-repeats")).evidence()).contains("1 of baseline, 1 of lower");
        assertThat(types(result))
                .contains("shared-cores", "page-cache-absorbed-the-writes")
                .doesNotContain(
                        "proxy-on-the-path",
                        "several-changes",
                        "property-ignored",
                        "variants-differ-in-more",
                        "compresses-unrealistically");

        RunFolder folder = RunFolder.open(Path.of(result.run()));
        List<Property> held = folder.machine().properties().getOrDefault("lower", List.of());
        assertThat(held)
                .anySatisfy(property -> {
                    assertThat(property.of() + " " + property.name()).isEqualTo("producer batch.size");
                    assertThat(property.source()).isEqualTo(Property.Source.YOURS);
                    assertThat(property.remark()).startsWith("batches of ");
                })
                .anySatisfy(property -> {
                    assertThat(property.of() + " " + property.name()).isEqualTo("producer bootstrap.servers");
                    assertThat(property.source()).isEqualTo(Property.Source.WEIR);
                })
                .anySatisfy(property -> {
                    assertThat(property.of() + " " + property.name())
                            .isEqualTo("broker 1 offsets.topic.replication.factor");
                    assertThat(property.source()).isEqualTo(Property.Source.WEIR);
                    assertThat(property.remark()).contains("capped");
                });
        assertThat(folder.trials().get(0).readings((source, metric) -> true))
                .extracting(Reading::source, Reading::metric)
                .contains(tuple("generator", "heap.used.mib"));
        assertThat(TextReport.of(folder)).contains("producer batch.size").contains("first-trial-cold");
    }

    @Test
    @Tag("long")
    void aPropertyWithoutAnEffectMakesTheRunInvalid() {
        RunResult result = procedure("ignored-property");
        assertThat(only(result, CaveatType.named("property-ignored")).evidence())
                .contains("load.consumer.fetch.min.bytes")
                .contains("in bulk");
        assertThat(result.valid()).isFalse();
        assertThat(result.exit()).isEqualTo(4);
    }

    @Test
    @Tag("long")
    void compressedSinglePayloadRaisesACaveat() {
        RunResult result = procedure("one-payload");
        assertThat(only(result, CaveatType.named("compresses-unrealistically")).evidence())
                .contains("lz4")
                .contains("batches shrank to");
        assertThat(types(result)).doesNotContain("few-repeats", "first-trial-cold");
    }

    @Test
    @Tag("long")
    void undeclaredVariantDifferencesRaiseACaveat() {
        RunResult result = procedure("more-than-said");
        assertThat(only(result, CaveatType.named("variants-differ-in-more")).evidence())
                .contains("leader and all")
                .contains("producer enable.idempotence (false, true)");
        assertThat(only(result, CaveatType.named("several-changes")).evidence())
                .contains("five and all")
                .contains("load.producers");
        assertThat(only(result, CaveatType.named("overridden-by-the-client")).weakens())
                .isEqualTo("producer enable.idempotence");
        assertThat(TextReport.of(RunFolder.open(Path.of(result.run()))))
                .containsPattern("producer enable.idempotence +true +false +true +no");
    }

    @Test
    @Tag("long")
    void aQuotaOfTheBrokersAndACodecOfTheTopicAreSeen() throws Exception {
        ClientQuotaEntity slow = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "doubted"));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
            quota(admin, slow, "producer_byte_rate", 60_000.0);
            RunResult result = load(
                    "{ workload: produce, rate: 200/s, value: { size: 1KiB }, producer: { compression.type: lz4, client.id: doubted } }",
                    0,
                    "topics.t.config.compression.type=zstd");
            quota(admin, slow, "producer_byte_rate", null);
            assertThat(only(result, CaveatType.named("throttled-by-quota")).evidence())
                    .contains("ms");
            assertThat(only(result, CaveatType.named("overridden-by-the-topic")).evidence())
                    .contains("zstd")
                    .contains("lz4");
        }
    }

    /** A quota bounds the pace. No machine catches up sooner, and a busy machine is as late as its own pace says. */
    @Test
    void catchUpTimeBehindAQuotaMatchesItsArithmetic() throws Exception {
        ClientQuotaEntity slow = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, "behind"));
        double bytesPerRecord = 1_015;
        double quota = 2_000_000 / bytesPerRecord;
        double inflow = 400;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
            quota(admin, slow, "consumer_byte_rate", 2_000_000.0);
            RunResult result = load(
                    "{ workload: deliver, rate: 400/s, backlog: 7k records, value: { size: 1000B },"
                            + " consumer: { max.partition.fetch.bytes: 100000, client.id: behind } }",
                    0,
                    "warmup=4s",
                    "measure=16s");
            quota(admin, slow, "consumer_byte_rate", null);
            TrialResult trial = result.trials().get(0);
            CatchUpResult catchUp = Objects.requireNonNull(trial.catchUp());
            assertThat(catchUp.behind()).as(result.toJson()).isBetween(7_000L, 9_000L);
            double expected = (catchUp.behind() - inflow) / (quota - inflow);
            assertThat(catchUp.reached()).as(result.toJson()).isTrue();
            // At first the brokers accept a second's worth of the quota.
            double burst = quota / (quota - inflow);
            double pace = Objects.requireNonNull(catchUp.recordsPerSecond());
            assertThat(pace).isBetween(0.6 * quota, 1.4 * quota);
            assertThat(catchUp.seconds())
                    .as(result.toJson())
                    .isBetween(0.85 * (expected - burst), 1.15 * catchUp.behind() / (pace - inflow));
            assertThat(catchUp.lost()).isZero();
            assertThat(trial.figures().count(Count.DUE)).isEqualTo(16 * 400);
            assertThat(trial.figures().e2e().count()).isEqualTo(16 * 400);
            assertThat(catchUp.during().count() + catchUp.after().count()).isEqualTo(16 * 400);
            assertThat(catchUp.before().count()).isPositive();
            assertThat(result.conclusion().answer())
                    .startsWith("The backlog of ")
                    .contains(" is drained in ");
            assertThat(TextReport.of(RunFolder.open(Path.of(result.run())))).contains("caught up in");
        }
    }

    private static void quota(Admin admin, ClientQuotaEntity entity, String name, @Nullable Double bytesPerSecond)
            throws Exception {
        admin.alterClientQuotas(List.of(
                        new ClientQuotaAlteration(entity, List.of(new ClientQuotaAlteration.Op(name, bytesPerSecond)))))
                .all()
                .get();
    }
}
