package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.NeedsFeature;
import weir.plan.ByteSize;
import weir.plan.CompareSpec;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.Setting;
import weir.plan.TopicSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;

class VariantTreesTest {
    @Test
    void sectionsAndPropertiesMergeKeyByKey() {
        Variant b = variant("""
                load: { producers: 2, producer: { acks: 1, linger.ms: 5 } }
                topics: { t: { partitions: 3, config: { retention.ms: 1000 } } }
                variants:
                  b: { load: { producer: { acks: all } }, topics: { t: { config: { min.insync.replicas: 1 } } } }
                """, "b");
        assertThat(b.load().producers().count()).isEqualTo(2);
        assertThat(b.load().producers().properties())
                .containsEntry("acks", "all")
                .containsEntry("linger.ms", "5");
        assertThat(b.topics().get("t"))
                .isEqualTo(new TopicSpec(
                        3,
                        1,
                        1,
                        false,
                        new java.util.TreeMap<>(java.util.Map.of("retention.ms", "1000", "min.insync.replicas", "1"))));
    }

    @Test
    void choicesAndListsAreReplacedWhole() {
        Variant b = variant("""
                topics: { s: {}, t: {} }
                load: { value: { size: 10, content: letters }, topics: [s, t], key: sequence }
                warmup: { for: 1s, rate: 10/s }
                variants:
                  b: { load: { value: { content: same }, topics: [t], key: { skewed: {} } }, warmup: { for: 2s } }
                """, "b");
        assertThat(b.load().messages().value())
                .isEqualTo(new ValueSpec.Generated(
                        new ValueSpec.Size.Fixed(new ByteSize(1024)), new ValueSpec.Content.Same()));
        assertThat(b.load().topics()).containsExactly("t");
        assertThat(b.warmup()).isEqualTo(new WarmupSpec.For(java.time.Duration.ofSeconds(2)));
    }

    @Test
    void nullRemovesASearchKey() {
        String search = "search: { capacity: { limits: [response p99 < 50ms], precision: %s } }";
        assertThat(Plans.read(search.formatted("null")).searches())
                .isEqualTo(Plans.read(search.formatted("2%")).searches());
    }

    @Test
    @NeedsFeature("stress")
    void nullIsAsIfNeverWritten() {
        Variant b = variant("""
                load: { producers: 4, producer: { acks: 1 } }
                during: { n: { at: 1s, stress: {} } }
                variants:
                  b: { load: { producers: null, producer: { acks: null } }, during: { n: null } }
                """, "b");
        assertThat(b.load().producers().count()).isEqualTo(1);
        assertThat(b.load().producers().properties()).isEmpty();
        assertThat(b.during()).isEmpty();
    }

    @Test
    void targetNullIsTheNullTarget() {
        assertThat(Plans.only("load: { target: null }").load().target()).isEqualTo(LoadSpec.Target.NULL);
    }

    @Test
    void defaultCommitDependsOnTheWorkloadAndIsNoSetting() {
        assertThat(Plans.only("load: { rate: 10/s }").settings()).doesNotContainKey("load.commit");
        Variant stream =
                Plans.only("topics: { s: {}, t: {} }\nload: { workload: stream, from: s, to: t, backlog: 10 records }");
        assertThat(stream.load().stream().commit()).isEqualTo(LoadSpec.Commit.EACH_BATCH);
        assertThat(stream.settings()).doesNotContainKey("load.commit");
        Variant group = Plans.only("load: { workload: deliver, group: g }");
        assertThat(group.load().consumers().commit()).isEqualTo(LoadSpec.Commit.AUTO);
    }

    @Test
    void likeStartsFromAnotherVariantInAnyOrder() {
        Variant c = variant("""
                variants:
                  c: { like: b, load: { producer: { linger.ms: 1 } } }
                  a: { load: { producers: 3 } }
                  b: { like: a, load: { consumers: 5 } }
                """, "c");
        assertThat(c.load().producers().count()).isEqualTo(3);
        assertThat(c.load().consumers().count()).isEqualTo(5);
        assertThat(c.settings().get("load.consumers"))
                .isEqualTo(new Setting("load.consumers", "5", "variant b x.yaml:4"));
    }

    @Test
    @NeedsFeature("presets")
    void presetLiesOverTheFileAndUnderTheVariant() {
        Variant b = variant("""
                load: { producer: { linger.ms: 7, acks: all } }
                variants: { b: { preset: throughput, load: { producer: { batch.size: 5 } } } }
                """, "b");
        assertThat(b.load().producers().properties())
                .containsEntry("linger.ms", "10")
                .containsEntry("acks", "1")
                .containsEntry("batch.size", "5");
        assertThat(b.settings().get("load.producer.acks"))
                .isEqualTo(new Setting("load.producer.acks", "1", "preset throughput x.yaml:2"));
    }

    @Test
    @NeedsFeature("presets")
    void presetAppliesToEveryCreatedTopic() {
        Variant b = variant("""
                topics: { orders: { partitions: 4 }, old: { existing: true } }
                cluster: { bootstrap: "h:1" }
                variants:
                  b: { preset: durability, topics: { more: {}, orders: { config: { min.insync.replicas: 3 } } } }
                """, "b");
        assertThat(b.topics().get("orders"))
                .isEqualTo(new TopicSpec(
                        4,
                        3,
                        1,
                        false,
                        new TreeMap<>(Map.of("min.insync.replicas", "3", "unclean.leader.election.enable", "false"))));
        assertThat(b.values())
                .containsEntry("topics.more.replication", "3")
                .containsEntry("topics.old.replication", "1");
        assertThat(b.values()).doesNotContainKey("topics.old.config.min.insync.replicas");

        Variant unnamed = variant("cluster: { brokers: 3 }\nvariants: { b: { preset: durability } }", "b");
        assertThat(unnamed.values()).containsEntry("topics.weir.replication", "3");
    }

    @Test
    @NeedsFeature("presets")
    void presetChangesNoBrokersOfAnExternalCluster() {
        Variant b = variant("""
                cluster: { bootstrap: "h:1" }
                load: { rate: 1/s }
                variants: { b: { preset: durability } }
                """, "b");
        assertThat(b.cluster().broker()).isEmpty();
        assertThat(b.settings()).doesNotContainKey("cluster.broker.min.insync.replicas");
        assertThat(b.settings().get("preset.broker.min.insync.replicas"))
                .isEqualTo(new Setting("preset.broker.min.insync.replicas", "2", "preset durability x.yaml:3"));
        assertThat(b.values()).containsEntry("topics.weir.replication", "3");
        assertThat(b.load().producers().properties()).containsEntry("acks", "all");
        assertThat(Plans.problems("""
                cluster: { bootstrap: "h:1" }
                variants: { b: { preset: durability, cluster: { broker: { num.io.threads: 3 } } } }
                """)).contains("'broker' cannot be used with 'bootstrap'");
    }

    @Test
    @NeedsFeature("presets")
    void noPresetIsOneToo() {
        assertThat(variant("variants: { b: { preset: null } }", "b")
                        .load()
                        .producers()
                        .properties())
                .isEmpty();
    }

    @Test
    @NeedsFeature("presets")
    void highEndOfAPresetIsAPresetToo() {
        assertThat(variant("variants: { b: { preset: throughput-high } }", "b")
                        .load()
                        .producers()
                        .properties())
                .containsEntry("batch.size", "200000")
                .containsEntry("linger.ms", "100")
                .containsEntry("compression.type", "lz4")
                .containsEntry("acks", "1");
    }

    @Test
    void originOfEveryValueIsKnown() {
        Experiment experiment =
                Plans.read("""
                load:
                  producers: 2
                grid: { load.producer.linger.ms: [1] }
                variants:
                  b: { load: { consumers: 3 } }
                short: { measure: 1s }
                """, new Overrides(List.of("drain=1s"), List.of("client.rack=r"), "", "", List.of(), true));
        Variant b = experiment.variants().get(0);
        assertThat(origins(
                        b,
                        "load.producers",
                        "load.producer.linger.ms",
                        "load.consumers",
                        "measure",
                        "drain",
                        "cluster.client.client.rack",
                        "verify"))
                .containsExactly(
                        "x.yaml:2", "grid x.yaml:3", "variant b x.yaml:5", "short x.yaml:6", "--set", "-X", "default");
    }

    @Test
    void shortIsLaidOverVariantsTooAndMayDropThem() {
        Experiment experiment = Plans.read("""
                variants: { a: { measure: 5m }, b: {}, c: {} }
                compare: [b / a, c / a]
                expect: [lost of c == 0, lost of a == 0]
                short: { measure: 1s, variants: { c: null, b: { load: { producers: 2 } } } }
                """, Overrides.SHORT);
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("a", "b");
        assertThat(experiment.variants().get(0).measure())
                .isEqualTo(new MeasureSpec.For(java.time.Duration.ofSeconds(1)));
        assertThat(experiment.variants().get(1).load().producers().count()).isEqualTo(2);
        assertThat(experiment.comparisons()).containsExactly(new CompareSpec.Over("b", "a"));
        assertThat(experiment.expectations()).extracting(Expectation::text).containsExactly("lost of a == 0");
    }

    @Test
    @NeedsFeature("stress")
    void shortDoesNotBringBackWhatAVariantDropped() {
        Experiment experiment = Plans.read("""
                during: { n: { at: 5s, for: 5s, stress: { threads: 1 } } }
                variants: { quiet: { during: { n: null } }, loud: {} }
                short: { during: { n: { at: 1s } } }
                """, Overrides.SHORT);
        assertThat(experiment.variants().get(0).during()).isEmpty();
        assertThat(experiment.variants().get(1).during()).containsOnlyKeys("n");
    }

    @Test
    void shortFormRateWithDurationReplacesMeasure() {
        Experiment experiment =
                Plans.read("load: { rate: 10/s }\nmeasure: 5m\nshort: { load: { rate: \"10:1\" } }", Overrides.SHORT);
        assertThat(experiment.variants().get(0).measure()).isEqualTo(new MeasureSpec.AsLongAsRates());
    }

    @Test
    void defaultNameIsTheFileName() {
        assertThat(Plans.read("load: {}").name()).isEqualTo("x");
        assertThat(Plans.read("name: y-1").name()).isEqualTo("y-1");
        assertThat(Plans.problems("name: Über")).contains("not a name; use a-z, 0-9 and -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00A0", "\u3000", "\u200B", "\uFEFF", "\u2003", "\u202F"})
    void aCharacterThatOnlyLooksLikeASpaceIsNamedWithItsPlace(String unseen) {
        String named = String.format("the character U+%04X (", (int) unseen.charAt(0));
        assertThat(Plans.problems("load:\n" + unseen + " rate: 5/s")).contains(":2:1: " + named);
        assertThat(Plans.problems("load:\n  rate: 5/s\n " + unseen + "engine: wire"))
                .contains(":3:2: " + named);
        assertThat(Plans.problems("load:\n  rate:" + unseen + "5/s")).contains(":2:3: " + named);
        assertThat(Plans.problems("load:\n  rate: 5/s" + unseen)).contains(":2:9: " + named);
        assertThat(Plans.problems("load: {\n" + unseen + "rate: 5/s, engine: {"))
                .contains(named);
        assertThat(Plans.read("question: What do 5" + unseen + "MB cost?\nload: {}")
                        .name())
                .isEqualTo("x");
    }

    @Test
    void aTopicMayHaveEveryNameThatKafkaTakes() {
        for (String name : List.of("t".repeat(249), "-t", "_", "...")) {
            assertThat(Plans.only("topics: { " + name + ": {} }").topics()).containsOnlyKeys(name);
        }
        for (String name : List.of("t".repeat(250), "'.'", "'..'", "ü")) {
            assertThat(Plans.problems("topics: { " + name + ": {} }"))
                    .contains("' is not a topic name; use up to 249 letters, digits, '.', '_' and '-'");
        }
    }

    private static List<String> origins(Variant variant, String... paths) {
        return java.util.Arrays.stream(paths)
                .map(path -> variant.settings()
                        .getOrDefault(path, new Setting(path, "", "absent"))
                        .origin())
                .toList();
    }

    private static Variant variant(String yaml, String name) {
        return Plans.read(yaml).variants().stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
