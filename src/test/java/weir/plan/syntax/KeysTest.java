package weir.plan.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.BacklogSpec;
import weir.plan.BridgeSpec;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.Golden;
import weir.plan.GroupSpec;
import weir.plan.KeySpec;
import weir.plan.Limits;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Problems;
import weir.plan.RateSpec;
import weir.plan.Ratio;
import weir.plan.RecordKeys;
import weir.plan.ThreadsSpec;
import weir.plan.TopicSpec;
import weir.plan.TransactionSpec;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.WarmupSpec;
import weir.plan.WorkSpec;
import weir.plan.explain.KeyExplanation;

class KeysTest {
    /** All defaults, written out. A change of a default must change this text, too. */
    @Test
    void defaultsAreThese() {
        Variant variant = Plans.only("load: {}");
        ClusterSpec cluster = RecordKeys.with(ClusterSpec.started("4.4.0", 1), Map.of("heap", new ByteSize(1L << 30)));
        LoadSpec load = new LoadSpec(
                LoadSpec.Workload.PRODUCE,
                LoadSpec.Target.CLUSTER,
                new RateSpec.Max(),
                List.of("weir"),
                new LoadSpec.Stream("", "", LoadSpec.Commit.EACH_BATCH),
                BacklogSpec.NONE,
                new LoadSpec.Producers(1, LoadSpec.Engine.CLIENT, new TreeMap<>()),
                new LoadSpec.Consumers(
                        1,
                        LoadSpec.Engine.CLIENT,
                        new TreeMap<>(),
                        GroupSpec.ASSIGNED,
                        WorkSpec.NONE,
                        ThreadsSpec.ONE,
                        LoadSpec.Commit.AUTO,
                        new LoadSpec.Outcome(new Ratio(0), new Ratio(0))),
                new LoadSpec.Messages(
                        new KeySpec.None(),
                        new ValueSpec.Generated(
                                new ValueSpec.Size.Fixed(new ByteSize(1024)), new ValueSpec.Content.Random())),
                new TransactionSpec.None(),
                1,
                Limits.NONE,
                new PlacedSpec.Here(),
                variant.load().parts());
        assertThat(variant)
                .isEqualTo(new Variant(
                        "base",
                        1,
                        1,
                        cluster,
                        new TreeMap<>(Map.of("weir", new TopicSpec(1, 1, 1, false, new TreeMap<>()))),
                        new BridgeSpec.None(),
                        load,
                        List.of(),
                        new WarmupSpec.For(Duration.ofSeconds(10)),
                        new MeasureSpec.For(Duration.ofSeconds(60)),
                        Duration.ofSeconds(30),
                        Verify.TRUE,
                        Map.of(),
                        new TreeMap<>(),
                        variant.settings()));
    }

    @Test
    @NeedsFeature("kubernetes")
    @Tag("with-metrics")
    void recordsAndKeysHaveTheSameWords() {
        assertWords("topics.*", TopicSpec.class, Set.of(), Set.of());
        Set<String> load = new TreeSet<>(words(LoadSpec.class));
        load.addAll(words(LoadSpec.Stream.class));
        load.addAll(words(LoadSpec.Producers.class));
        load.addAll(words(LoadSpec.Consumers.class));
        load.addAll(words(LoadSpec.Messages.class));
        assertThat(without(load, Set.of("stream", "messages", "count", "properties", "parts")))
                .isEqualTo(without(
                        names("load"),
                        Set.of(
                                "producer",
                                "consumer",
                                "beside",
                                "apart",
                                "connections",
                                "listen",
                                "http",
                                "receiver",
                                "shape")));
        assertWords("kubernetes", PlacedSpec.Kubernetes.class, Set.of("spread"), Set.of());
        for (String placed : List.of("placed", "cluster.placed", "load.placed", "during.*.placed")) {
            assertWords(placed, PlacedSpec.Hosts.class, Set.of("names"), Set.of("hosts"));
        }
        assertWords("limits", Limits.class, Set.of("iopersecond"), Set.of("io"));
        assertWords("cluster.brokers", ClusterSpec.Broker.class, Set.of(), Set.of());
        assertThat(without(words(ClusterSpec.class), Set.of("dedicatedcontrollers", "address")))
                .isEqualTo(without(names("cluster"), Set.of("controllers")));
        assertThat(without(words(Variant.class), Set.of("name", "gridpoint", "settings", "seed")))
                .isEqualTo(without(names("variants.*"), Set.of("placed", "kubernetes", "like", "preset", "grid")));
        assertThat(names("search")).contains("capacity", "breakingpoint");
    }

    @Test
    @NeedsFeature("http")
    void everyKeyIsDescribedWithATypeThatReadsItsDefaultAndExamples() {
        for (KeyDescription key : Keys.all()) {
            assertThat(key.meaning()).as(key.path()).isNotEmpty();
            assertThat(key.type() != ScalarType.NONE || key.section())
                    .as(key.path())
                    .isTrue();
            assertThat(key.hasDefault()
                            || key.facts().has("example")
                            || key.section()
                            || !key.allowed().isEmpty()
                            || !key.texts("write").isEmpty())
                    .as("%s shows how it is written", key.path())
                    .isTrue();
            readable(key, key.fallback());
            readable(key, key.facts().entries().getOrDefault("example", key.fallback()));
        }
    }

    @Test
    void factsOfKeysAreOnlyThoseThatAreRead() {
        Set<String> facts =
                Set.of("type default allowed list of by names choice forms with without required requires same"
                        .concat(" only min max above after once short template write meaning example")
                        .split(" ", -1));
        Keys.TABLE
                .entries()
                .forEach((path, key) -> assertThat(facts)
                        .as(path)
                        .containsAll(((Tree.Section) key).entries().keySet()));
        assertThat(Keys.all().size() + 5)
                .as("every key hangs on another one")
                .isEqualTo(Keys.TABLE.entries().size());
    }

    @Test
    @NeedsFeature
    void explanationsAreTheseAndTheNearestKeyHelps() {
        StringBuilder text = new StringBuilder();
        for (String key :
                (", load.rate, load.value.size, warmup, drain, placed, during.x.placed, topics.orders.partitions,"
                                + " variants.b.load.key, replication, linger.ms, load.producer.acks, latency, response,"
                                + " response p99, lost, degraded, host-noisy, 99, cluster.broker.num.io.threads")
                        .split(", ", -1)) {
            text.append("$ weir explain ")
                    .append(key)
                    .append('\n')
                    .append(KeyExplanation.of(key))
                    .append('\n');
        }
        Golden.assertSame("src/test/resources/weir/plan/explain.txt", text.toString());
        assertThatThrownBy(() -> KeyExplanation.of("load.rtae"))
                .isInstanceOf(Problems.class)
                .hasMessageContaining("did you mean 'load.rate'?");
        assertThatThrownBy(() -> KeyExplanation.of("liger.ms")).hasMessageContaining("did you mean 'linger.ms'?");
    }

    private static void readable(KeyDescription key, Tree tree) {
        if (tree instanceof Tree.Text text && !text.text().isEmpty() && key.type() != ScalarType.NONE) {
            key.type().check(text.text());
            assertThat(key.allowed().isEmpty() || key.allowed().contains(text.text()))
                    .as(key.path())
                    .isTrue();
        } else if (tree instanceof Tree.Items items) {
            items.items().stream().filter(Tree.Text.class::isInstance).forEach(item -> readable(key, item));
        }
    }

    private static void assertWords(
            String key, Class<? extends Record> type, Set<String> onlyRecord, Set<String> onlyKeys) {
        assertThat(without(words(type), onlyRecord)).as(key).isEqualTo(without(names(key), onlyKeys));
    }

    private static Set<String> words(Class<? extends Record> type) {
        Set<String> words = new TreeSet<>();
        Arrays.stream(type.getRecordComponents())
                .forEach(component -> words.add(component.getName().toLowerCase(Locale.ROOT)));
        return words;
    }

    private static Set<String> names(String key) {
        Set<String> names = new TreeSet<>();
        Keys.below(Keys.at(key))
                .keySet()
                .forEach(name -> names.add(name.replace("-", "").toLowerCase(Locale.ROOT)));
        return names;
    }

    private static Set<String> without(Set<String> words, Set<String> others) {
        Set<String> fewer = new TreeSet<>(words);
        fewer.removeAll(others);
        return Collections.unmodifiableSet(fewer);
    }
}
