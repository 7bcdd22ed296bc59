package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.feature.presets.PresetProperty.By;
import weir.feature.presets.PresetProperty.Side;
import weir.plan.EnumNames;
import weir.plan.Golden;
import weir.plan.property.BrokerProperties;
import weir.plan.property.Properties;
import weir.plan.property.Property;
import weir.plan.syntax.Keys;

class PresetsCommandTest {
    @TempDir
    private Path folder;

    private Shell with(String goal, String properties) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.properties"), properties);
        return Shell.weir("presets", goal, "--with", file.toString());
    }

    @Test
    void goalsAreListedWithoutAGoal() {
        assertThat(Shell.weir("presets").out().lines().map(line -> line.split(" ", 2)[0]))
                .containsExactlyElementsOf(Preset.names());
    }

    @ParameterizedTest
    @ValueSource(strings = {"throughput", "throughput-high", "latency", "durability", "availability"})
    void eachGoalMatchesItsGoldenFileAndFitsATerminal(String goal) {
        String text = Shell.weir("presets", goal).out();
        Golden.assertSame("src/test/resources/weir/feature/presets/" + goal + ".txt", text);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void presetTableShowsUserAndEffectiveValues() throws IOException {
        Shell shell = with(
                "durability",
                "acks=1\nbatch.size=8196\nmin.insync.replicas=1\nmax.in.flight.requests.per.connection=5\n");
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out())
                .containsPattern("acks +all +all +all +1 +1\n")
                .containsPattern("enable.idempotence +true +true +true +- +false\n")
                .containsPattern("min.insync.replicas +2 +1 +1\n");
        assertThat(shell.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void defaultsAndOverridesAreThoseOfTheClientItself() throws IOException {
        JsonNode json = new ObjectMapper()
                .readTree(
                        Shell.weir("presets", "throughput", "--format", "json").out());
        assertThat(row(json, "batch.size").get("default").asText()).isEqualTo("16384");
        assertThat(row(json, "buffer.memory").get("default").asText()).isEqualTo("33554432");
        assertThat(row(json, "linger.ms").get("default").asText()).isEqualTo("5");
        assertThat(row(json, "enable.idempotence").get("default").asText()).isEqualTo("true");
    }

    @Test
    void presetRowShowsValueChangedByTheClient() throws IOException {
        Shell shell = with("availability", "acks=1\n");
        assertThat(shell.out())
                .containsPattern("enable.idempotence +- +true +true +- +false\n")
                .contains("the client derives false from other settings of the file");
    }

    private static JsonNode row(JsonNode json, String name) {
        for (JsonNode row : json.get("properties")) {
            if (row.get("name").asText().equals(name)) {
                return row;
            }
        }
        throw new AssertionError("no " + name + " in " + json);
    }

    @Test
    void unknownPropertiesGiveRemarks() throws IOException {
        Shell shell = with("latency", "liger.ms=1\nacks=1\nbasic.auth.user.info=KEY:SECRET\n");
        assertThat(shell.exit()).isZero();
        assertThat(shell.out() + shell.err()).doesNotContain("SECRET");
        assertThat(shell.err())
                .hasLineCount(2)
                .contains("'basic.auth.user.info' is not a property of a Kafka client, topic or broker")
                .contains("'liger.ms' is not a property of a Kafka client, topic or broker; did you mean 'linger.ms'?");
    }

    @Test
    void secretsOfTheFileAreShownNowhere() throws IOException {
        String secrets = "sasl.jaas.config=x password=\"hunter2\";\nssl.keystore.password=hunter3\nacks=all\n";
        for (String form : new String[] {"text", "json"}) {
            Path file = Files.writeString(folder.resolve("mine.properties"), secrets);
            Shell shell = Shell.weir("presets", "durability", "--with", file.toString(), "--format", form);
            assertThat(shell.exit()).isZero();
            assertThat(shell.out() + shell.err()).doesNotContain("hunter");
        }
        assertThat(with("durability", "sasl.mechanism=hunter\nsasl.jaas.config=hunter2\nacks=hunter3")
                        .err())
                .doesNotContain("hunter2");
    }

    @Test
    void binaryPropertiesFileIsRefusedInOneLine() throws IOException {
        Path file = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xca, (byte) 0xfe, 0, 1, (byte) 0xff});
        Shell.weir("presets", "latency", "--with", file.toString()).refused("is not UTF-8 text");
        Shell.weir("presets", "latency", "--with", folder.toString()).refused("is a folder");
    }

    @Test
    void presetsAreThoseThatAnExperimentMayName() {
        assertThat(Keys.at("variants.*.preset").allowed()).isEqualTo(Preset.names());
    }

    @Test
    void everyPresetPropertyIsKnownOnItsSide() {
        Preset.all()
                .forEach(preset -> preset.properties()
                        .forEach(property -> assertThat(known(property))
                                .as("%s: %s %s", preset.name(), property.side(), property.name())
                                .isTrue()));
    }

    private static boolean known(PresetProperty property) {
        return switch (property.side()) {
            case PRODUCER, CONSUMER -> {
                Properties.Known known = Properties.known().get(property.name());
                yield known != null && known.clients().contains(EnumNames.of(property.side()));
            }
            case TOPIC ->
                property.name().equals(Property.REPLICATION)
                        || BrokerProperties.ofTopics().contains(property.name());
            case BROKER -> BrokerProperties.defaults().containsKey(property.name());
        };
    }

    @Test
    void bothEndsOfTheRangesAreRun() {
        assertThat(Preset.named("throughput").values(Side.PRODUCER))
                .containsEntry("batch.size", "100000")
                .containsEntry("linger.ms", "10")
                .containsEntry("acks", "1");
        assertThat(Preset.named("throughput-high").values(Side.PRODUCER))
                .containsEntry("batch.size", "200000")
                .containsEntry("linger.ms", "100")
                .containsEntry("acks", "1");
        assertThat(Preset.named("throughput-high").of(Side.PRODUCER))
                .filteredOn(property -> property.name().equals("linger.ms"))
                .extracting(PresetProperty::other)
                .containsExactly("10");
    }

    @Test
    void presetShowsPropertiesSetByOperatorOrWeirWithoutApplyingThem() {
        Preset durability = Preset.named("durability");
        assertThat(durability.of(Side.BROKER))
                .filteredOn(property -> property.by() == By.OPERATOR)
                .extracting(PresetProperty::name)
                .containsExactly("broker.rack", "log.flush.interval.messages", "log.flush.interval.ms");
        assertThat(durability.values(Side.BROKER)).doesNotContainKey("broker.rack");
        assertThat(durability.values(Side.CONSUMER)).isEmpty();
        assertThat(durability.of(Side.CONSUMER)).extracting(PresetProperty::by).containsExactly(By.WEIR);
    }

    @Test
    void mistypedPresetSuggestsTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Preset.named("durabilty"))
                .withMessage("preset 'durabilty' does not exist; did you mean 'durability'?");
    }

    private static Map<String, Property> broker(String... namesAndValues) {
        Map<String, Property> properties = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = namesAndValues[i];
            properties.put(
                    name, new Property("broker 1", name, "", namesAndValues[i + 1], "0", Property.Source.CLUSTER));
        }
        return properties;
    }

    private static Map<String, Property> durable(String rack) {
        return broker(
                "default.replication.factor", "3",
                "min.insync.replicas", "2",
                "unclean.leader.election.enable", "false",
                "auto.create.topics.enable", "false",
                "broker.rack", rack);
    }

    @Test
    void presetHasNothingToDoIfAllBrokersComply() {
        GivenBrokers three = new GivenBrokers("h:1", "4.3", Map.of(1, durable("a"), 2, durable("b"), 3, durable("c")));
        assertThat(three.toDo(Preset.named("durability"))).isEmpty();
    }

    @Test
    void presetListsSettingsMissingOnAnyBrokerAndTooFewBrokers() {
        Map<String, Property> lacking = durable("");
        lacking.putAll(broker("min.insync.replicas", "1"));
        lacking.remove("auto.create.topics.enable");
        GivenBrokers two = new GivenBrokers("h:1", "4.3", Map.of(1, durable("a"), 2, lacking));
        assertThat(two.toDo(Preset.named("durability")))
                .hasSize(4)
                .anySatisfy(line ->
                        assertThat(line).startsWith("have at least 3 brokers").endsWith("there are 2"))
                .anySatisfy(line -> assertThat(line).startsWith("min.insync.replicas: 2 (it is "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("auto.create.topics.enable: false (it is ")
                        .contains("unknown"))
                .anySatisfy(line -> assertThat(line).startsWith("broker.rack: its rack (it is "));
    }

    @Test
    void recoveryThreadsAreCountedAgainstTheDirectoriesOfEachBroker() {
        Preset availability = Preset.named("availability");
        Map<String, Property> broker = broker(
                "min.insync.replicas", "1",
                "unclean.leader.election.enable", "true",
                "num.recovery.threads.per.data.dir", "2",
                "log.dirs", "/a,/b");
        Map<Integer, Map<String, Property>> three = new TreeMap<>(Map.of(1, broker, 2, broker, 3, broker));
        assertThat(new GivenBrokers("h:1", "4.3", three).toDo(availability)).isEmpty();
        Map<String, Property> more = new TreeMap<>(broker);
        more.putAll(broker("log.dirs", "/a,/b,/c"));
        three.put(3, more);
        assertThat(new GivenBrokers("h:1", "4.3", three).toDo(availability))
                .singleElement()
                .asString()
                .startsWith("num.recovery.threads.per.data.dir: its log.dirs (it is 2)");
    }
}
