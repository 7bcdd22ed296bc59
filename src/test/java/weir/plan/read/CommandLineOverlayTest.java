package weir.plan.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.CompareSpec;
import weir.plan.Expectation;
import weir.plan.Experiment;
import weir.plan.Golden;
import weir.plan.Plans;
import weir.plan.Problem;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.Setting;
import weir.plan.ValueSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.plan.property.SecretReferences;
import weir.plan.trial.Estimate;

class CommandLineOverlayTest {
    @Test
    void setReachesEveryVariantAndWinsOverIt() {
        Experiment experiment = Plans.read(
                "variants: { a: { load: { rate: 5/s } }, b: {} }",
                Plans.set(
                        "load.rate=50k/s", "load.producer.linger.ms=7", "load.value={size: 5}", "variants.b.repeat=3"));
        for (Variant variant : experiment.variants()) {
            assertThat(variant.load().rate()).isEqualTo(new RateSpec.Fixed(Rate.of(50_000), false));
            assertThat(variant.load().producers().properties()).containsEntry("linger.ms", "7");
            assertThat(variant.load().messages().value().meanBytes()).isEqualTo(5);
        }
        assertThat(experiment.variants()).extracting(Variant::repeat).containsExactly(1, 3);
    }

    @Test
    void setOfOneValueLeavesItsNeighboursAlone() {
        Experiment experiment = Plans.read(
                "load: { value: { size: 5, content: letters } }\nwarmup: { until: steady, max: 1m }",
                Plans.set("load.value.size=9", "warmup.max=2s"));
        assertThat(experiment.variants().get(0).load().messages().value())
                .isEqualTo(new ValueSpec.Generated(
                        new ValueSpec.Size.Fixed(new ByteSize(9)), new ValueSpec.Content.Letters()));
        assertThat(experiment.variants().get(0).warmup())
                .isEqualTo(new WarmupSpec.UntilSteady(java.time.Duration.ofSeconds(2)));
    }

    @Test
    void setOptionSuggestsNamesOfTheFile() {
        String yaml = "topics: { orders: {} }\nvariants: { slow: {} }";
        assertThat(Plans.problems(yaml, Plans.set("variants.slwo.repeat=2")))
                .contains("there is no 'slwo' in variants; did you mean 'slow'?");
        assertThat(Plans.problems(yaml, Plans.set("variants.slow.topics.ordres.partitions=2")))
                .contains("did you mean 'orders'?");
        assertThat(Plans.read(yaml, Plans.set("variants.slow.topics.orders.partitions=2", "grid.load.producers=[3]"))
                        .variants())
                .extracting(Variant::name)
                .containsExactly("slow/producers=3");
    }

    /** The client file of Confluent Cloud, and other content of files that several programs share. */
    private static final String SHARED = """
            bootstrap.servers=SASL_SSL://kafka-1:9092, kafka-2:9092
            security.protocol=SASL_SSL
            sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="K" password="S";
            sasl.mechanism=PLAIN
            client.dns.lookup=use_all_dns_ips
            session.timeout.ms=45000
            acks=all
            group.id=theirs
            enable.auto.commit=true
            transactional.id=theirs
            key.deserializer=org.apache.kafka.common.serialization.StringDeserializer
            schema.registry.url=https://registry:443
            basic.auth.credentials.source=USER_INFO
            basic.auth.user.info=KEY:SECRET
            application.id=stream
            """;

    @Test
    void aFileOfClientPropertiesThatOtherProgramsShareIsTakenWithRemarks(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("client.properties"), SHARED);
        Experiment experiment = Plans.read("{}", bootstrap("", file.toString()));
        assertThat(experiment.remarks())
                .hasSize(8)
                .contains(
                        "client.properties: 'group.id' has no effect: load.group names the group",
                        "client.properties: 'schema.registry.url' is not a property of a Kafka client; Weir passes"
                                + " it on unchanged")
                .allSatisfy(remark -> assertThat(remark).doesNotContain("SECRET"));
        ClusterSpec cluster = experiment.variants().get(0).cluster();
        assertThat(cluster.startedByWeir()).isFalse();
        assertThat(cluster.bootstrap()).isEqualTo("kafka-1:9092,kafka-2:9092");
        assertThat(cluster.client())
                .containsEntry("acks", "all")
                .containsEntry("schema.registry.url", "https://registry:443")
                .containsKey("basic.auth.user.info")
                .doesNotContainKeys("group.id", "transactional.id", "key.deserializer", "enable.auto.commit");
        assertThat(Plans.read("cluster: { client: " + file + " }").remarks()).hasSize(8);
    }

    @Test
    void propertiesOfAFileThatTheWireEngineDoesNotKnowAreRemarks(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("client.properties"), SHARED);
        assertThat(Plans.read("load: { engine: wire }", bootstrap("", file.toString()))
                        .remarks())
                .contains("'application.id' in the client properties file has no effect on the wire engine");
        assertThat(Plans.problems("cluster: { client: { plugin: { application.id: x } } }\nload: { engine: wire }"))
                .contains("application.id: is not supported by the wire engine");
    }

    @Test
    void aBootstrapAddressMayHaveAProtocolAsForKafka(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("c"), "bootstrap.servers=PLAINTEXT://a:1,SSL://[::1]:2\n");
        Overrides both = bootstrap("a:1,[::1]:2", file.toString());
        assertThat(Plans.problems("{}", both)).isEmpty();
        assertThat(Plans.problems("cluster: { bootstrap: \"PLAINTEXT://a\" }"))
                .contains("' is not a broker address; write host:port, as in kafka-1:9092,kafka-2:9092");
    }

    @Test
    void hashOfAFileOfValuesIsWrittenDown(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("orders.jsonl"), "abc\n".repeat(1000));
        String yaml = "load: { rate: 10/s, value: { file: %s%s } }\nwarmup: none\nmeasure: 10s";
        Experiment experiment = Plans.read(yaml.formatted(file, ""));
        Setting hash =
                experiment.variants().get(0).settings().getOrDefault("load.value.sha256", new Setting("", "", ""));
        assertThat(hash.value()).hasSize(64);
        assertThat(Estimate.of(experiment).bytes()).isEqualTo(100 * 64);
        String pinned = yaml.formatted(file, ", sha256: " + hash.value());
        assertThat(Plans.read(pinned).missing()).isEmpty();
        Files.writeString(file, "changed");
        assertThat(Plans.read(pinned).missing())
                .extracting(Problem::message)
                .singleElement()
                .asString()
                .contains("' has changed; its hash is");
    }

    @Test
    void theClientPropertiesMayNameTheClusterUnlessTheyNameAnother(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("client.properties"), "bootstrap.servers=B:1, c:2\nsecurity.protocol=SSL\n");
        Overrides config = bootstrap("", file.toString());
        for (String yaml : List.of("cluster: { kafka: 4.1.0 }", "cluster: { bootstrap: 'c:2,b:1' }")) {
            ClusterSpec cluster = Plans.only(yaml, config).cluster();
            assertThat(cluster.bootstrap()).isIn("B:1,c:2", "c:2,b:1");
            assertThat(cluster.client()).containsOnlyKeys("security.protocol");
        }
        assertThat(Plans.only("cluster: { client: '" + file + "' }").cluster())
                .extracting(ClusterSpec::startedByWeir)
                .isEqualTo(false);
        assertThat(Plans.problems("cluster: { bootstrap: 'd:1' }", config))
                .contains("'B:1, c:2' is not the cluster 'd:1' of cluster.bootstrap");
        Overrides both = bootstrap("d:1", file.toString());
        assertThat(Plans.problems("load: {}", both)).contains("is not the cluster 'd:1' of --bootstrap-server");
        assertThat(Plans.problems("cluster: { kafka: 4.1.0, client: '" + file + "' }"))
                .contains("'kafka' cannot be used with 'bootstrap'");
    }

    @Test
    void setOptionCanRemoveKeys() {
        Experiment experiment = Plans.read(
                "expect: [lost == 0]\nload: { producers: 5 }", Plans.set("expect=null", "load.producers=null"));
        assertThat(experiment.expectations()).isEmpty();
        assertThat(experiment.variants().get(0).load().producers().count()).isEqualTo(1);
    }

    @Test
    void problemsInSetOptionsShowTheirPosition() {
        Golden.assertSame(
                "src/test/resources/weir/plan/errors/set.txt",
                Plans.problems(
                                "topics: { t: {} }",
                                Plans.set(
                                        "load.rate=50kk/s",
                                        "load.rtae=5/s",
                                        "load.rate",
                                        "load.rate=",
                                        "topics.t.partitions=[1]",
                                        "load.value={size: 5"))
                        + "\n");
    }

    @Test
    void clientPropertyGoesToEveryClientAndWinsOverTheLoad() {
        Experiment experiment = Plans.read(
                "cluster: { client: { linger.ms: 1 } }\nvariants: { a: { load: { producer: { linger.ms: 2, acks: 1 } } } }",
                client("linger.ms=3"));
        Variant a = experiment.variants().get(0);
        assertThat(a.cluster().client()).containsExactly(java.util.Map.entry("linger.ms", "3"));
        assertThat(a.load().producers().properties()).containsExactly(java.util.Map.entry("acks", "1"));
        assertThat(Plans.problems("load: {}", client("liger.ms=3"))).contains("did you mean 'linger.ms'?");
        assertThat(Plans.problems("load: {}", client("sasl.jaas.config=password")))
                .contains("a secret must not be in the file; write ${env:NAME} or ${file:PATH:KEY}")
                .doesNotContain("=password");
    }

    @Test
    void givenClusterTakesThePlaceOfTheStartedOne() {
        Experiment experiment =
                Plans.read("cluster: { brokers: 3, client: { linger.ms: 1 } }", bootstrap("h:9092", ""));
        assertThat(experiment.variants().get(0).cluster())
                .isEqualTo(ClusterSpec.existing("h:9092", new java.util.TreeMap<>(java.util.Map.of("linger.ms", "1"))));
        assertThat(Plans.problems(
                        "cluster: { fresh: trial }\nvariants: { a: {}, b: { cluster: { kafka: 3.9.2 } } }",
                        bootstrap("h:1", "")))
                .contains("variants.b.cluster.kafka: has no effect on a cluster that is given with --bootstrap-server");
    }

    @Test
    @NeedsFeature("presets")
    void presetListsBrokerSettingsForTheOperatorOfAnExternalCluster() {
        Variant latency = Plans.only("variants: { a: { preset: latency } }", bootstrap("h:1", ""));
        assertThat(latency.values()).containsEntry("preset.broker.num.replica.fetchers", "4");
        assertThat(Plans.only("variants: { a: { preset: latency, cluster: { broker: null } } }", bootstrap("h:1", ""))
                        .settings())
                .doesNotContainKey("preset.broker.num.replica.fetchers");
    }

    @Test
    void secretsOfAPropertiesFileAreNotInTheExperiment(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("client.properties");
        Files.writeString(
                file,
                "security.protocol=SASL_SSL\nsasl.jaas.config=x password=\"hunter2\";\nssl.truststore.password=hunter3\n");
        Experiment experiment = Plans.read("cluster: { client: { linger.ms: 1 } }", bootstrap("h:1", file.toString()));
        Variant variant = experiment.variants().get(0);
        assertThat(variant.cluster().client())
                .containsOnlyKeys("security.protocol", "sasl.jaas.config", "ssl.truststore.password")
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.jaas.config", SecretReferences.toEntry(file, "sasl.jaas.config"));
        assertThat(experiment + "" + variant).doesNotContain("hunter");
        assertThat(SecretReferences.resolve(variant.cluster().client()))
                .containsEntry("sasl.jaas.config", "x password=\"hunter2\";")
                .containsEntry("ssl.truststore.password", "hunter3");
    }

    @Test
    void fileThatIsNotThereIsFineToCheckAndNamedAsMissing() {
        Experiment experiment =
                Plans.read("cluster: { bootstrap: \"h:1\", client: no.properties }\nload: { value: { file: no.txt } }");
        assertThat(experiment.missing())
                .extracting(Problem::message)
                .satisfiesExactly(
                        m -> assertThat(m)
                                .startsWith("cluster.client: '")
                                .endsWith("no.properties' does not exist, or cannot be read"),
                        m -> assertThat(m).startsWith("load.value.file: '"));
    }

    @Test
    void wrongValueInAFileIsFoundWithoutShowingTheFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("client.properties");
        Files.writeString(file, "pasword=hunter2\nsecurity.protocl=SSL\nlinger.ms=soon\n");
        String problems = Plans.problems("load: {}", bootstrap("h:1", file.toString()));
        assertThat(problems).contains("linger.ms: 'soon' is not allowed here").doesNotContain("hunter2");
        Files.writeString(file, "security.protocl=SSL\n");
        assertThat(Plans.read("load: {}", bootstrap("h:1", file.toString())).remarks())
                .singleElement()
                .asString()
                .contains("did you mean 'security.protocol'?");
    }

    @Test
    void onlyLeavesOutTheOthersAndWhatAsksForThem() {
        Experiment experiment = Plans.read(
                "variants: { a: {}, b: {}, c: {} }\ngrid: { load.producers: [1, 2] }\ncompare: [b / a, c / a]\nexpect: [lost of c == 0, lost == 0]",
                only("a", "b/producers=2"));
        assertThat(experiment.variants())
                .extracting(Variant::name)
                .containsExactly("a/producers=1", "a/producers=2", "b/producers=2");
        assertThat(experiment.comparisons()).containsExactly(new CompareSpec.Over("b/producers=2", "a/producers=2"));
        assertThat(experiment.expectations()).extracting(Expectation::text).containsExactly("lost == 0");
        assertThat(Plans.problems("variants: { one: {}, two: {} }", only("on")))
                .contains("--only")
                .contains("did you mean 'one'?");
    }

    private static final String SEARCHED =
            "cluster: { controllers: 1 }\nload: { rate: 1k/s }\nvariants: { a: {}, b: { during: { x: { at: 1s, for: 1s, pause: broker 1 } } },"
                    + " c: { load: { rate: 50% of capacity } } }\n"
                    + "search: { capacity: { of: a, limits: [response p99 < 50ms] } }\n";

    @Test
    void onlyOptionDropsSearchesAndExpectationsOfOtherVariants() {
        String file = SEARCHED + "compare: [b / a]\n"
                + "expect: [capacity > 1k/s, response p99 during x < 9s, lost of a == 0, lost == 0]\n";
        Experiment b = Plans.read(file, only("b"));
        assertThat(b.searches()).isEmpty();
        assertThat(b.expectations())
                .extracting(Expectation::text)
                .containsExactly("response p99 during x < 9s", "lost == 0");
        assertThat(b.leftOutWithVariants())
                .containsExactly(
                        "--only also skips the parts of the file that name other variants: search.capacity of a,"
                                + " compare b / a, expect capacity > 1k/s, expect lost of a == 0");
        Experiment a = Plans.read(file, only("a"));
        assertThat(a.searches()).hasSize(1);
        assertThat(a.expectations())
                .extracting(Expectation::text)
                .as("no other variant is disturbed")
                .containsExactly("capacity > 1k/s", "lost of a == 0", "lost == 0");
    }

    @Test
    void onlyOptionRefusesAVariantThatNeedsAnOmittedCapacity() {
        assertThat(Plans.problems(SEARCHED, only("c")))
                .contains("variant 'c' takes its rate from the capacity of 'a', which this run skips; run both"
                        + " variants, as in --only a,c, or give a rate, as in --set load.rate=10k/s")
                .hasLineCount(3);
        assertThat(Plans.read(SEARCHED, only("a", "c")).searches()).hasSize(1);
        assertThat(Plans.read(SEARCHED.replace("of: a, ", ""), only("c")).searches())
                .as("without a name, it is a search of the first variant that runs")
                .hasSize(1);
        assertThat(Plans.read(SEARCHED.replace("of: a, ", ""), only("b")).searches())
                .as("nothing needs it")
                .isEmpty();
    }

    @Test
    @NeedsFeature({"partitions", "profile"})
    @Tag("with-fit")
    @Tag("with-tune")
    void onlyLeavesOutEveryKindOfSearchFitAndProfileOfAnotherVariant() {
        String tune = "search: { tune: { of: a, space: { load.producer.linger.ms: [0, 5] } } }\n";
        String partitions = "search: { partitions: { of: a, for: 1k/s } }\n";
        String breaking = "search: { breaking-point: { of: a, limits: [response p99 < 1s] } }\n";
        String fit = "fit: { scaling: load.producers, variants: [a] }\ngrid: { load.producers: [1, 2, 3, 4] }\n";
        String each = breaking.replace("of: a", "of: each");
        String profile = "profile: { during: 2000/s }\n";
        String ofOne = "profile: { variants: [a] }\n";
        String variants =
                "load: { rate: 1k/s }\nvariants: { a: { load: { rate: { steps: [1000/s for 1s, 2000/s for 1s] } } },"
                        + " b: {} }\n";
        for (String asked : List.of(tune, partitions, breaking, each, fit, profile, ofOne)) {
            Experiment b = Plans.read(variants + asked, only("b"));
            assertThat(b.searches()).isEmpty();
            assertThat(b.models()).isEmpty();
            assertThat(b.extras()).isEmpty();
            assertThat(b.leftOutWithVariants()).as(asked).hasSize(1);
            assertThat(Plans.read(variants + asked, only("a")).leftOutWithVariants())
                    .as(asked)
                    .isEmpty();
        }
    }

    @Test
    void aVariantMayStartFromOneThatIsLeftOut() {
        assertThat(Plans.read("variants: { a: { load: { producers: 3 } }, b: { like: a } }", only("b"))
                        .variants())
                .singleElement()
                .satisfies(b -> assertThat(b.load().producers().count()).isEqualTo(3));
    }

    @Test
    void theNameOfAVariantWithAGridIsProposed() {
        assertThat(Plans.problems("variants: { one: {}, two: {} }\ngrid: { load.producers: [1, 2] }", only("ones")))
                .contains("did you mean 'one'?");
    }

    private static Overrides client(String... properties) {
        return new Overrides(List.of(), List.of(properties), "", "", List.of(), false);
    }

    private static Overrides bootstrap(String bootstrap, String config) {
        return new Overrides(List.of(), List.of(), bootstrap, config, List.of(), false);
    }

    private static Overrides only(String... variants) {
        return new Overrides(List.of(), List.of(), "", "", List.of(variants), false);
    }

    @Test
    void bootstrapAddressesAreNormalized() {
        ClusterSpec cluster =
                Plans.only("cluster: { bootstrap: ' h:1, h:2 ,' }").cluster();
        assertThat(cluster.bootstrap()).isEqualTo("h:1,h:2");
    }
}
