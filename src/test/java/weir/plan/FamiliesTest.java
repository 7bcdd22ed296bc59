package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.GroupSpec.Acknowledge;
import weir.plan.GroupSpec.Protocol;

/** One YAML example for each form of each family. */
class FamiliesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void rates() {
        List<RateSpec> read = read(
                "load: { rate: % }\nsearch: { capacity: {} }\nmeasure: null",
                variant -> variant.load().rate(),
                "{ replay: rates.csv }",
                "{ steps: [10/s for 1s], rest: 1s, stop: broken }");
        read.addAll(read(
                "load: { rate: % }\nsearch: { capacity: {} }",
                variant -> variant.load().rate(),
                "max",
                "64 at a time",
                "2GB/s",
                "50% of capacity",
                "{ ramp: { from: 1k/s, to: 5k/s, over: 1s } }",
                "{ poisson: 5k/s }",
                "{ burst: 100 every 1s }"));
        assertThat(read)
                .containsExactly(
                        new RateSpec.Replay(Path.of("rates.csv").toAbsolutePath()),
                        new RateSpec.Steps(List.of(new RateSpec.Step(Rate.of(10), false, SECOND)), SECOND, true),
                        new RateSpec.Max(),
                        new RateSpec.AtATime(64),
                        new RateSpec.Fixed(new Rate(2e9, Rate.Unit.BYTES), false),
                        new RateSpec.OfCapacity(new Ratio(0.5)),
                        new RateSpec.Ramp(Rate.of(1000), Rate.of(5000), SECOND),
                        new RateSpec.Poisson(Rate.of(5000)),
                        new RateSpec.Burst(100, SECOND));
        assertWhole(RateSpec.class, read);
    }

    @Test
    void valuesSizesAndContents() {
        List<ValueSpec> values = read(
                "load: { value: % }",
                variant -> variant.load().messages().value(),
                "{ size: 10, content: random }",
                "{ size: 1B..2B, content: letters }",
                "{ size: { 1KiB: 90%, 2KiB: 10% }, content: same }",
                "{ content: sequence }",
                "{ content: planes }",
                "{ content: { random: 50% } }",
                "{ file: a.txt, each: file, pick: random }");
        assertThat(values.get(6))
                .isEqualTo(new ValueSpec.FromFile(
                        Path.of("a.txt").toAbsolutePath(), new ValueSpec.Each.Whole(), ValueSpec.Pick.RANDOM));
        assertThat(values.get(2).meanBytes()).isEqualTo(1024 * 0.9 + 2048 * 0.1);
        assertThat(values.get(1).meanBytes()).isEqualTo(1.5);
        List<ValueSpec.Generated> generated = values.stream()
                .filter(ValueSpec.Generated.class::isInstance)
                .map(ValueSpec.Generated.class::cast)
                .toList();
        assertWhole(
                ValueSpec.Size.class,
                generated.stream().map(ValueSpec.Generated::size).toList());
        assertWhole(
                ValueSpec.Content.class,
                generated.stream().map(ValueSpec.Generated::content).toList());
    }

    @Test
    void keys() {
        List<KeySpec> read = read(
                "load: { value: { content: planes }, key: % }",
                variant -> variant.load().messages().key(),
                "none",
                "sequence",
                "random",
                "{ skewed: { distinct: 10k } }",
                "{ column: 6 }");
        assertThat(read)
                .containsExactly(
                        new KeySpec.None(),
                        new KeySpec.Sequence(),
                        new KeySpec.Random(),
                        new KeySpec.Skewed(10_000, 0.99),
                        new KeySpec.Column(6));
        assertWhole(KeySpec.class, read);
    }

    @Test
    void groups() {
        List<GroupSpec> read = read(
                "load: { group: % }",
                variant -> variant.load().consumers().group(),
                "none",
                "billing",
                "{ name: billing, protocol: consumer, existing: true }",
                "{ name: billing, protocol: share, acknowledge: explicit }");
        assertThat(read)
                .containsExactly(
                        GroupSpec.ASSIGNED,
                        GroupSpec.classic("billing"),
                        new GroupSpec("billing", Protocol.CONSUMER, true, Acknowledge.IMPLICIT),
                        new GroupSpec("billing", Protocol.SHARE, false, Acknowledge.EXPLICIT));
    }

    @Test
    void backlogs() {
        List<BacklogSpec> read = read(
                "load: { workload: consume, backlog: % }",
                variant -> variant.load().backlog(),
                "2000 records",
                "20GiB",
                "{ records: 10M, cache: cold }",
                "{ size: 1kB }");
        read.add(Plans.only("load: {}").load().backlog());
        assertThat(read)
                .containsExactly(
                        BacklogSpec.ofRecords(2000),
                        new BacklogSpec(0, new ByteSize(20L << 30), BacklogSpec.Cache.WARM),
                        new BacklogSpec(10_000_000, new ByteSize(0), BacklogSpec.Cache.COLD),
                        new BacklogSpec(0, new ByteSize(1000), BacklogSpec.Cache.WARM),
                        BacklogSpec.NONE);
    }

    @Test
    void transactions() {
        List<TransactionSpec> read = read(
                "load: { transaction: % }",
                variant -> variant.load().transaction(),
                "none",
                "each",
                "{ each: operation, abort: 1% }",
                "{ records: 100 }",
                "{ every: 100ms }");
        assertThat(read)
                .containsExactly(
                        new TransactionSpec.None(),
                        new TransactionSpec.Each(new Ratio(0)),
                        new TransactionSpec.Each(new Ratio(0.01)),
                        new TransactionSpec.Records(100, new Ratio(0)),
                        new TransactionSpec.Every(Duration.ofMillis(100), new Ratio(0)));
        assertWhole(TransactionSpec.class, read);
    }

    @Test
    void warmupsAndMeasures() {
        List<WarmupSpec> warmups = read(
                "warmup: %",
                Variant::warmup,
                "none",
                "0s",
                "10s",
                "{ for: 1s, rate: 100/s }",
                "{ operations: 5k }",
                "{ until: steady }");
        assertThat(warmups)
                .containsExactly(
                        new WarmupSpec.None(),
                        new WarmupSpec.None(),
                        new WarmupSpec.For(Duration.ofSeconds(10)),
                        new WarmupSpec.ForAt(SECOND, new RateSpec.Fixed(Rate.of(100), false)),
                        new WarmupSpec.Operations(5000),
                        new WarmupSpec.UntilSteady(Duration.ofMinutes(2)));
        assertWhole(WarmupSpec.class, warmups);
        List<MeasureSpec> measures = List.of(
                Plans.only("measure: 5s").measure(),
                Plans.only("measure: { operations: 1M }").measure(),
                Plans.only("load: { rate: \"10:1\" }").measure(),
                new MeasureSpec.UntilSettled(Duration.ofSeconds(5), Duration.ofSeconds(9), Duration.ofMinutes(2)));
        assertWhole(MeasureSpec.class, measures);
    }

    @Test
    void disturbances() {
        List<DisturbanceSpec> read = read(
                "cluster: { controllers: 1 }\nduring: { x: { at: 1s, for: 2s, % } }",
                variant -> Objects.requireNonNull(variant.during().get("x")),
                "kill: broker 1",
                "stop: broker 1",
                "pause: broker 1",
                "network: { broker: 1, delay: 50ms, between: clients }",
                "disk: { broker: 1, full: true }");
        assertThat(read)
                .extracting(Object::getClass)
                .containsOnly(DisturbanceSpec.Outage.class, DisturbanceSpec.Network.class, DisturbanceSpec.Disk.class);
    }

    @Test
    @NeedsFeature("partitions")
    @Tag("with-tune")
    void searchesAndComparisons() {
        Experiment experiment = Plans.read("""
                load: { rate: { steps: [10/s for 1s] } }
                search: { capacity: {}, breaking-point: {}, partitions: { for: 1k/s }, tune: { space: { load.producer.linger.ms: [0, 5] } } }
                variants: { a: {}, b: {}, c: {} }
                compare: [a / b, a from b to c]
                """);
        assertThat(experiment.searches())
                .extracting(Object::getClass)
                .doesNotHaveDuplicates()
                .hasSize(4);
        assertWhole(CompareSpec.class, experiment.comparisons());
        assertThat(experiment.searches().get(0))
                .isEqualTo(new SearchSpec.Capacity(
                        "",
                        List.of(),
                        Rate.of(0),
                        Rate.of(0),
                        new Ratio(0.02),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(5)));
    }

    @Test
    void limitsAreReadWithTheirUnits() {
        ClusterSpec cluster = Plans.only("cluster: { within: { cpu: 1.5, memory: 4GiB, io: 50MiB/s, cpus: [0, 1] } }")
                .cluster();
        assertThat(cluster.within())
                .isEqualTo(new Limits(1.5, new ByteSize(4L << 30), new ByteSize(50L << 20), List.of(0, 1)));
    }

    @Test
    void brokersMayEachHaveTheirOwn() {
        ClusterSpec cluster = Plans.only(
                        "cluster: { brokers: [{ rack: a }, { rack: b, data: /d, broker: { num.io.threads: 2 } }] }")
                .cluster();
        assertThat(cluster.brokers())
                .containsExactly(
                        new ClusterSpec.Broker("a", new TreeMap<>(), Path.of("")),
                        new ClusterSpec.Broker(
                                "b", new TreeMap<>(java.util.Map.of("num.io.threads", "2")), Path.of("/d")));
    }

    @Test
    @NeedsFeature({"hosts", "kubernetes"})
    void places() {
        List<PlacedSpec> read = List.of(
                Plans.only("load: {}").load().placed(),
                Plans.only("load: { placed: { hosts: [a] } }").load().placed(),
                Plans.only(
                                "load: { placed: kubernetes }\nkubernetes: { image: weir, nodes: { a.b/c: D, e: '' }, storage: f.g }")
                        .load()
                        .placed());
        assertThat(read)
                .containsExactly(
                        new PlacedSpec.Here(),
                        new PlacedSpec.Hosts(List.of("a"), "", PlacedSpec.Start.SSH, List.of("ssh")),
                        new PlacedSpec.Kubernetes(
                                "weir",
                                "weir",
                                new TreeMap<>(java.util.Map.of("a.b/c", "D", "e", "")),
                                "f.g",
                                PlacedSpec.Spread.EVEN));
        assertWhole(PlacedSpec.class, read);
    }

    /** Reads the part of a variant, with each form in the place of %. */
    private static <T> List<T> read(String yaml, Function<Variant, T> part, String... forms) {
        List<T> read = new ArrayList<>();
        for (String form : forms) {
            read.add(part.apply(Plans.only(yaml.replace("%", form))));
        }
        return read;
    }

    private static void assertWhole(Class<?> family, List<?> examples) {
        Set<Class<?>> seen = examples.stream().map(Object::getClass).collect(Collectors.toSet());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(Arrays.asList(family.getPermittedSubclasses()));
    }
}
