package weir.plan.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.feature.NeedsFeature;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

class TrialsTest {
    private static final String FILE = """
            name: codecs
            load: { workload: deliver, rate: 50/s }
            measure: 5s
            variants: { none: {}, lz4: { load: { producer: { compression.type: lz4 } } } }
            compare: [lz4 / none]
            expect: [response p99 of lz4 / none < 1]
            """;

    @Test
    void trialsGoForthAndBack() {
        List<Trial> trials = Trials.of(Plans.read("repeat: 2\nvariants: { a: {}, b: {}, c: {} }"));
        assertThat(trials)
                .extracting(Trial::id)
                .containsExactly("01-a-1", "02-b-1", "03-c-1", "04-c-2", "05-b-2", "06-a-2");
    }

    @Test
    void everyPairOfRoundsIsItsOwnMirror() {
        List<String> order = Trials.of(Plans.read("repeat: 8\nvariants: { a: {}, b: {}, c: {}, d: {} }")).stream()
                .map(trial -> trial.variant().name())
                .toList();
        for (int pair = 0; pair < 4; pair++) {
            String round = String.join("", order.subList(pair * 8, pair * 8 + 8));
            assertThat(round).isEqualTo(new StringBuilder(round).reverse().toString());
        }
        assertThat(order.subList(8, 12)).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void seedDecidesTheOrder() {
        String yaml = "repeat: 20\nvariants: { a: {}, b: {}, c: {} }\nseed: ";
        assertThat(order(yaml + "1")).isEqualTo(order(yaml + "1")).isNotEqualTo(order(yaml + "2"));
    }

    @Test
    void variantMayHaveItsOwnRepeats() {
        List<Trial> trials = Trials.of(Plans.read("repeat: 3\nvariants: { a: { repeat: 1 }, b: {} }"));
        assertThat(trials).extracting(Trial::id).containsExactly("01-a-1", "02-b-1", "03-b-2", "04-b-3");
    }

    @Test
    void estimateBoundsWhatIsWritten() {
        Estimate estimate = Estimate.of(Plans.read("""
                topics: { t: { replication: 3 } }
                cluster: { brokers: 3 }
                load: { rate: 1000/s, value: { size: 940 } }
                warmup: 10s
                measure: 90s
                repeat: 2
                """));
        assertThat(estimate.trials()).isEqualTo(2);
        assertThat(estimate.bounded()).isTrue();
        assertThat(estimate.records()).isEqualTo(200_000);
        assertThat(estimate.bytes()).isEqualTo(200_000L * 1000 * 3);
        assertThat(estimate.largest()).isEqualTo(100_000L * 1000 * 3);
        assertThat(estimate.time()).isBetween(Duration.ofSeconds(200), Duration.ofSeconds(230));
    }

    @Test
    @NeedsFeature("delivery")
    void estimateWritesNoKafkaBytesForEventsOutsideKafka() {
        Estimate estimate = Estimate.of(Plans.read("""
                bridge: { path: memory-broker }
                load: { workload: deliver, engine: http, rate: 1000/s, value: { size: 940 } }
                warmup: none
                measure: 10s
                variants: { memory: {}, kafka: { bridge: { path: kafka-broker } } }
                """));
        assertThat(estimate.records()).isEqualTo(20_000);
        assertThat(estimate.bytes()).isEqualTo(10_000L * 1000);
    }

    @Test
    void estimateCountsStepsBurstsBytesAndBacklogs() {
        String none = "warmup: none\n";
        assertThat(records(none + "load: { rate: \"100:10,200:5\" }")).isEqualTo(2000);
        assertThat(records(none + "load: { rate: { burst: 50 every 10s } }\nmeasure: 60s"))
                .isEqualTo(300);
        assertThat(records(none + "load: { rate: 1MB/s, value: { size: 1kB } }\nmeasure: 1s"))
                .isEqualTo(1000);
        assertThat(records(none + "load: { rate: 5/s per producer, producers: 4 }\nmeasure: 10s"))
                .isEqualTo(200);
        assertThat(records(none + "load: { workload: consume, backlog: 7k records }"))
                .isEqualTo(7000);
        assertThat(records("warmup: { operations: 5 }\nmeasure: { operations: 10 }"))
                .isEqualTo(15);
    }

    @Test
    void estimateCountsTheCanariesAndWhatIsReadBack() {
        String load = "load: { rate: 1M/s }\nmeasure: 50s\nwarmup: none\nverify: ";
        Estimate read = Estimate.ofTrials(Plans.read(load + "true"));
        Estimate unread = Estimate.ofTrials(Plans.read(load + "false"));
        assertThat(read.time().minus(unread.time())).isEqualTo(Duration.ofSeconds(25));
        String brief = "load: { rate: 1/s }\nwarmup: 3s\nmeasure: 5s";
        Overrides shortened = Overrides.SHORT;
        assertThat(Estimate.of(Plans.read(brief)).time())
                .isEqualTo(Estimate.of(Plans.read(brief, shortened)).time().plus(Estimate.CANARIES));
    }

    private static Duration time(String yaml) {
        return Estimate.ofTrials(Plans.read("warmup: none\nmeasure: 10s\nverify: false\n" + yaml))
                .time();
    }

    @Test
    void estimateStartsBrokersOnceOrForEachTrial() {
        String load = "load: { rate: 1/s }\nrepeat: 2\n";
        Duration alike = time(load + "variants: { a: {}, b: {} }");
        Duration fresh = time(load + "variants: { a: {}, b: {} }\ncluster: { fresh: trial }");
        assertThat(fresh.minus(alike)).as("three more starts").isBetween(seconds(11), seconds(12));
    }

    @Test
    @NeedsFeature("profile")
    @Tag("with-delivery")
    void estimateIncludesControllersGroupsBridgesAndProfiles() {
        String load = "load: { workload: deliver, rate: 1/s }\n";
        Duration plain = time(load);
        String controller = "cluster: { controllers: 1 }\n";
        String group = load.replace(" }", ", group: g }");
        String http = "bridge: { path: memory-broker }\n" + load.replace(" }", ", engine: http }");
        assertThat(time(controller + load).minus(plain)).isBetween(seconds(2), seconds(3));
        assertThat(time("cluster: { kafka: 2.7.2 }\n" + load).minus(plain))
                .as("a ZooKeeper")
                .isBetween(seconds(2), seconds(3));
        assertThat(time(group).minus(plain)).isEqualTo(seconds(6));
        assertThat(time(http).minus(plain)).isBetween(seconds(4), seconds(5));
        assertThat(time(load + "profile: {}").minus(plain)).isBetween(seconds(13), seconds(15));
    }

    @Test
    void estimateOfAWarmUpUntilSteadyIsNotItsLimit() {
        String load = "load: { rate: 1k/s }\nmeasure: 10s\nwarmup: ";
        Experiment steady = Plans.read(load + "{ until: steady, max: 2m }");
        assertThat(Estimate.of(steady).time())
                .isEqualTo(Estimate.of(Plans.read(load + "20s")).time());
        assertThat(Estimate.of(steady).records()).as("at most").isEqualTo(130_000);
    }

    @Test
    void estimateOfAClosedLoopCountsEveryReplica() {
        String load =
                "load: { rate: max, value: { size: 100B } }\nmeasure: { operations: 3M }\nwarmup: none\nverify: false\n";
        String three = "cluster: { brokers: 3 }\ntopics: { t: { replication: 3 } }\n";
        String one = "cluster: { brokers: 3 }\ntopics: { t: {} }\n";
        Duration more = Estimate.ofTrials(Plans.read(three + load))
                .time()
                .minus(Estimate.ofTrials(Plans.read(one + load)).time());
        assertThat(more).isEqualTo(seconds(20));
    }

    /** Seconds of short forms on a quiet machine with two cores. */
    @ParameterizedTest
    @CsvSource({
        "09-capacity, 25",
        "16-broker-dies, 30",
        "20-http-ingest, 35",
        "21-event-delivery, 49",
    })
    @NeedsFeature
    void estimateIsWithinAFactorOfOneAndAHalf(String experiment, int took) {
        Path file = Path.of("experiments", experiment + ".yaml");
        double estimated =
                Estimate.of(PlanReader.read(file, Overrides.SHORT)).time().toSeconds();
        assertThat(estimated).isBetween(took / 1.5, took * 1.5);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Test
    void maxHasNoBoundButAnAssumption() {
        Estimate estimate = Estimate.of(Plans.read("load: { rate: max }"));
        assertThat(estimate.bounded()).isFalse();
        assertThat(estimate.records()).isEqualTo((long) (70 * estimate.assumed()));
    }

    private static List<String> order(String yaml) {
        return Trials.of(Plans.read(yaml)).stream().map(Trial::id).toList();
    }

    private static long records(String yaml) {
        return Estimate.of(Plans.read(yaml)).records();
    }

    @Test
    void theFirstVariantIsRunAgainstTheVerySame() {
        Experiment twice = SelfComparison.of(Plans.read(FILE));
        assertThat(twice.name()).isEqualTo("codecs-a-a");
        assertThat(twice.variants()).extracting(Variant::name).containsExactly("none", "none-again");
        assertThat(twice.variants().get(1).load())
                .isEqualTo(twice.variants().get(0).load());
        assertThat(twice.variants().get(1).values())
                .isEqualTo(twice.variants().get(0).values());
        assertThat(twice.comparisons()).containsExactly(new CompareSpec.Over("none-again", "none"));
        assertThat(twice.expectations()).isEmpty();
    }

    @Test
    void aVerdictTakesAtLeastFourRepeats() {
        Experiment twice = SelfComparison.of(Plans.read(FILE));
        assertThat(Trials.of(twice))
                .extracting(trial -> trial.variant().name())
                .startsWith("none", "none-again", "none-again", "none")
                .hasSize(8);
        assertThat(SelfComparison.of(Plans.read(FILE + "repeat: 6\n")).variants())
                .extracting(Variant::repeat)
                .containsExactly(6, 6);
    }

    @Test
    void anotherVariantIsChosenLikeAnyOther() {
        Experiment twice =
                SelfComparison.of(Plans.read(FILE, new Overrides(List.of(), List.of(), "", "", List.of("lz4"), false)));
        assertThat(twice.variants()).extracting(Variant::name).containsExactly("lz4", "lz4-again");
    }
}
