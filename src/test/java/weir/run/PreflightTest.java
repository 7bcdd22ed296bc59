package weir.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Cluster;
import weir.cluster.start.ExternalCluster;
import weir.feature.NeedsFeature;
import weir.plan.Experiment;
import weir.plan.Problems;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Estimate;

class PreflightTest {
    private static final String GIVEN = "{ bootstrap: \"127.0.0.1:9092\" }";

    @TempDir
    Path folder;

    private Experiment experiment(String cluster, String load) throws IOException {
        Path file = folder.resolve("e.yaml");
        Files.writeString(file, "name: e\ncluster: " + cluster + "\nload: " + load + "\n");
        return PlanReader.read(file, Overrides.NONE);
    }

    private RunOptions options(double maxRate) {
        return new RunOptions(folder, true, maxRate, 0, RunOptions.NEW, "test", "weir");
    }

    private void machine(Experiment experiment, double maxRate) {
        new Preflight(experiment).machine(Estimate.of(experiment), options(maxRate));
    }

    private AbstractThrowableAssert<?, ?> assertRefused(Experiment experiment, double maxRate) {
        return assertThatThrownBy(() -> new Preflight(experiment).plan(options(maxRate)))
                .isInstanceOf(Problems.class);
    }

    private AbstractThrowableAssert<?, ?> assertUnfit(Experiment experiment, double maxRate) {
        return assertThatThrownBy(() -> machine(experiment, maxRate)).isInstanceOf(PreflightException.class);
    }

    @Test
    void sizesBelowAGibibyteAreInMebibytes() {
        assertThat(MachineNeeds.size(37 << 20)).isEqualTo("37.0 MiB");
        assertThat(MachineNeeds.size(3L << 29)).isEqualTo("1.5 GiB");
    }

    @Test
    @NeedsFeature("presets")
    void brokerSettingsOfAPresetAreReportedForExternalClusters() throws IOException {
        Path file = folder.resolve("p.yaml");
        String load = "load: { rate: 1/s }\nvariants: { b: { preset: latency } }\n";
        Files.writeString(file, "cluster: { bootstrap: \"h:1\" }\n" + load);
        assertThat(Preflight.askedOfOperators(PlanReader.read(file, Overrides.NONE)))
                .singleElement()
                .asString()
                .startsWith("variant 'b'")
                .contains("preset latency", "num.replica.fetchers: 4");
        Files.writeString(file, load);
        assertThat(Preflight.askedOfOperators(PlanReader.read(file, Overrides.NONE)))
                .isEmpty();
    }

    @Test
    void searchOnAnExternalClusterRequiresABound() throws IOException {
        String searched = "{ rate: 50% of capacity }\nsearch: { capacity: { limits: [response p99 < 50ms] } }";
        Experiment unbounded = experiment(GIVEN, searched);
        assertRefused(unbounded, 0).hasMessageContaining("search.capacity.to").hasMessageContaining("--max-rate");
        assertThatCode(() -> new Preflight(unbounded).plan(options(10_000))).doesNotThrowAnyException();
        Experiment bounded = experiment(GIVEN, searched.replace("{ capacity: {", "{ capacity: { to: 8k/s,"));
        assertThatCode(() -> new Preflight(bounded).plan(options(0))).doesNotThrowAnyException();
        assertThat(Preflight.highest(bounded, options(0), bounded.variants().get(0)))
                .isEqualTo(8_000);
        assertThatCode(() -> new Preflight(bounded).plan(options(500))).doesNotThrowAnyException();
        Experiment from = experiment(GIVEN, searched.replace("{ capacity: {", "{ capacity: { from: 1k/s, to: 8k/s,"));
        assertRefused(from, 500).hasMessageContaining("above the highest allowed rate");
        assertThatCode(() -> new Preflight(experiment("{ brokers: 1 }", searched)).plan(options(0)))
                .doesNotThrowAnyException();
    }

    @Test
    void closedLoopOnAnExternalClusterRequiresABound() throws IOException {
        Experiment max = experiment(GIVEN, "{ rate: max }");
        assertUnfit(max, 0).hasMessageContaining("--max-rate");
        assertThatCode(() -> machine(max, 10_000)).doesNotThrowAnyException();
    }

    @Test
    void closedLoopNeedsNoBoundIfOperationsAreCounted() throws IOException {
        for (String load : new String[] {
            "{ rate: one at a time }\nmeasure: { operations: 1000 }",
            "{ rate: 32 at a time, producers: 2 }\nwarmup: none\nmeasure: { operations: 1000 }"
        }) {
            assertThatCode(() -> machine(experiment(GIVEN, load), 0)).doesNotThrowAnyException();
        }
        for (String load : new String[] {
            "{ rate: one at a time }\nmeasure: 10s",
            "{ rate: 64 at a time, producers: 2 }\nwarmup: none\nmeasure: { operations: 1000 }",
            "{ rate: 64 at a time }\nwarmup: 10s\nmeasure: { operations: 1000 }"
        }) {
            assertThatThrownBy(() -> machine(experiment(GIVEN, load), 0))
                    .hasMessageStartingWith("e.yaml:3:15: load.rate: of variant 'base' is a closed loop");
        }
    }

    @Test
    void conflictingClientPropertiesAreRefusedAtTheirLine() throws IOException {
        Experiment hasty = experiment("{ brokers: 1 }", "{ producer: { delivery.timeout.ms: 10 } }");
        assertRefused(hasty, 0)
                .hasMessageStartingWith("e.yaml:3:")
                .hasMessageContaining("load.producer: delivery.timeout.ms should be equal to or larger than");
        Experiment secret =
                experiment("{ brokers: 1 }", "{ producer: { batch.size: \"${env:NONE}\", config.providers: x } }");
        assertThatCode(() -> new Preflight(secret).plan(options(0))).doesNotThrowAnyException();
    }

    private String refused(String load) throws IOException {
        Experiment experiment = experiment("{ brokers: 1 }", load);
        try {
            new Preflight(experiment).plan(options(0));
            return "";
        } catch (Problems refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void missingClientClassIsRefusedAtItsLine() throws IOException {
        assertThat(refused("{ producer: { interceptor.classes: no.Such } }"))
                .startsWith("e.yaml:3:")
                .contains("load.producer", "no.Such");
        assertThat(refused("{ workload: deliver, consumer: { partition.assignment.strategy: no.Such }, group: g }"))
                .startsWith("e.yaml:3:")
                .contains("load.consumer", "no.Such");
    }

    @Test
    void propertiesThatExcludeEachOtherAreRefusedWithTheReasonOfTheClient() throws IOException {
        assertThat(refused("{ workload: deliver, consumer: { session.timeout.ms: 1 } }"))
                .contains("load.consumer: Heartbeat must be set lower than the session timeout");
    }

    @Test
    void propertiesExcludedByTheGroupProtocolAreRefused() throws IOException {
        String load = "{ workload: deliver, consumer: { session.timeout.ms: 9000 }, group: { name: g, protocol: %s } }";
        assertThat(refused(String.format(load, "classic"))).isEmpty();
        assertThat(refused(String.format(load, "consumer")))
                .contains("load.consumer: session.timeout.ms cannot be set");
    }

    @Test
    void theValueWithoutTheColumnOfTheKeysIsNamed() throws IOException {
        Files.writeString(folder.resolve("p.csv"), "a,1\n\"b,b\",2\n5\" c,3\nd\n");
        assertThat(refused("{ value: { file: p.csv }, key: { column: 1 } }")).isEmpty();
        assertThat(refused("{ value: { file: p.csv }, key: { column: 2 } }"))
                .startsWith("e.yaml:3:")
                .contains("load.key.column: value 4 of '" + folder.resolve("p.csv")
                        + "' has 1 column, but the key is column 2");
    }

    @Test
    void planesWithoutTheColumnOfTheKeysAreRefusedBeforeTheRun() throws IOException {
        assertThat(refused("{ value: { content: planes }, key: { column: 1 } }"))
                .isEmpty();
        assertThat(refused("{ value: { content: planes }, key: { column: 99 } }"))
                .contains("load.key.column: each value has ", "but the key is column 99");
    }

    @Test
    void aFileWithoutValuesIsRefusedBeforeTheRun() throws IOException {
        Files.writeString(folder.resolve("empty.csv"), "\n\n");
        assertThat(refused("{ value: { file: empty.csv } }")).contains("load.value.file: ", "' has only empty lines");
    }

    @Test
    void noStepPassesTheBound() throws IOException {
        Experiment steps =
                experiment(GIVEN, "{ producers: 2, rate: { steps: [1k/s for 5s, 6k/s per producer for 5s] } }");
        assertUnfit(steps, 10_000).hasMessageContaining("12,000/s").hasMessageContaining("10,000/s");
        assertThatCode(() -> machine(steps, 12_000)).doesNotThrowAnyException();
    }

    @Test
    void theDiskThatIsAskedIsTheOneOfTheBrokers(@TempDir Path data) throws IOException {
        Experiment elsewhere = experiment(
                "{ brokers: 1, data: \"" + data + "\" }", "{ workload: deliver, rate: 100/s, backlog: 900TiB }");
        assertUnfit(elsewhere, 0).hasMessageContaining("the disk of " + data + " has");
    }

    @Test
    void backlogAboveTheDiskSizeIsRefused() throws IOException {
        for (String rate : new String[] {"max", "100/s"}) {
            Experiment huge =
                    experiment("{ brokers: 1 }", "{ workload: deliver, rate: " + rate + ", backlog: 900TiB }");
            assertUnfit(huge, 0).hasMessageContaining("GiB free");
        }
    }

    @Test
    void coldBacklogOnTmpfsIsRefused() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeThat(memory).isDirectory();
        assumeThat(Files.getFileStore(memory).type()).isEqualTo("tmpfs");
        String cluster = "{ brokers: 1, data: /dev/shm }";
        Experiment cold = experiment(cluster, "{ workload: consume, backlog: { records: 10, cache: cold } }");
        assertUnfit(cold, 0).hasMessageContaining("file system of type tmpfs");
        Experiment warm = experiment(cluster, "{ workload: consume, backlog: 10 records }");
        assertThatCode(() -> machine(warm, 0)).doesNotThrowAnyException();
    }

    @Test
    void aClusterOfOurOwnMayTakeAllItCan() throws IOException {
        Experiment max = experiment("{ brokers: 1 }", "{ rate: max }");
        assertThatCode(() -> machine(max, 0)).doesNotThrowAnyException();
    }

    @Test
    void moreThanTheDiskHoldsIsRefusedBeforeAnythingIsWritten() throws IOException {
        Experiment huge = experiment("{ brokers: 1 }", "{ rate: 1M/s, value: { size: 1MiB } }");
        assertUnfit(huge, 0).hasMessageContaining("GiB");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    @NeedsFeature("metrics")
    void metricsThatCannotBeReadAreALineForEachAddress() throws IOException {
        Path file = Files.writeString(folder.resolve("given.yaml"), """
                name: given
                question: What do given brokers say?
                cluster:
                  bootstrap: "kafka:9092"
                  metrics: ["http://127.0.0.1:1/metrics?name%5B%5D=hidden", "http://127.0.0.1:2/"]
                load: { rate: 10/s }
                """);
        Experiment given = PlanReader.read(file, Overrides.NONE);
        Cluster there = new ExternalCluster("kafka:9092", new TreeMap<>(), "id", "4.3.1", List.of());
        assertThatThrownBy(() -> new Preflight(given)
                        .given(spec -> there, (cluster, topics) -> new TreeMap<>(), (cluster, kind, key) -> ""))
                .isInstanceOfSatisfying(
                        PreflightException.class,
                        refused -> assertThat(
                                        String.valueOf(refused.getMessage()).lines())
                                // The line of the file follows each problem.
                                .filteredOn(line -> line.startsWith("given.yaml"))
                                .hasSize(2)
                                .allMatch(line -> line.contains("cluster.metrics: 'http://127.0.0.1:")
                                        && line.contains("cannot be read: connection refused"))
                                .noneMatch(line -> line.contains("hidden")));
    }
}
