package weir.feature.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.plan.Golden;

class DeployCommandTest {
    private static final String IMAGE = "kubernetes: { image: weir }\n";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private Shell kubernetes(String yaml, String... options) throws IOException {
        return deploy("kubernetes", yaml, options);
    }

    private Shell marathon(String yaml, String... options) throws IOException {
        return deploy("marathon", yaml, options);
    }

    private Shell deploy(String where, String yaml, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("deploy", where));
        arguments.addAll(List.of(options));
        arguments.add(Files.writeString(folder.resolve("two-codecs.yaml"), yaml).toString());
        return Shell.weir(arguments.toArray(String[]::new));
    }

    private static JsonNode app(Shell shell, String part) throws IOException {
        assertThat(shell.err()).isEmpty();
        for (JsonNode app : JSON.readTree(shell.out()).get("apps")) {
            if (app.get("id").asText().endsWith("/" + part)) {
                return app;
            }
        }
        throw new AssertionError("no app of " + part + " in " + shell.out());
    }

    @Test
    void eachObjectOfARunIsOneYamlDocument() throws IOException {
        Shell shell = kubernetes(
                IMAGE + "cluster: { client: { ssl.key.password: '${secret:kafka/key}' } }\nload: { rate: 5/s }\n",
                "--set",
                "repeat=2",
                "--short");
        assertThat(shell.exit()).isZero();
        assertThat(shell.err()).isEmpty();
        Golden.assertSame("src/test/resources/weir/feature/deploy/kubernetes.yaml", shell.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: { rate: 1/s }|placed: has no image with Weir",
                "load: { rate: 1/s, placed: here }%ncluster: { placed: here }|places nothing in pods; remove placed: here from a section",
                "cluster: { client: { ssl.key.password: '${env:KEY}' } }|two-codecs.yaml:2:40: cluster.client.ssl.key.password: names a variable or file that a pod does not have",
                "load: { value: { file: values.txt } }|load.value.file: is a file that a pod does not have; remove the key, or use hosts instead of pods",
                "load: { rate: { replay: rates.csv } }%nmeasure: null|load.rate.replay: is a file that a pod does not have",
                "cluster: { client: client.properties }|names a file that a pod does not have; write the properties here"
            })
    void runThatPodsCannotStartIsRefusedInOneLine(String yaml, String said) throws IOException {
        Files.writeString(folder.resolve("values.txt"), "a\nb\n");
        Files.writeString(folder.resolve("rates.csv"), "0,1\n1,1\n");
        Files.writeString(folder.resolve("client.properties"), "client.id=me\n");
        String image = said.contains("image") ? "" : IMAGE;
        Shell shell = kubernetes(image + String.format(yaml));
        assertThat(shell.err()).contains(said);
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void deployRefusesALocalPropertiesFile() throws IOException {
        kubernetes(IMAGE + "load: {}", "--command-config", "x.properties")
                .refused("--command-config: a pod cannot read files of this machine");
    }

    @Test
    void deployRequiresASystem() {
        Shell.weir("deploy").refused("name a system: weir deploy kubernetes");
    }

    /** The numbers of the document about 1 to 15 producers, each on its own host. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 10, 15})
    void eachProducerIsAnInstanceOnASeparateHost(int producers) throws IOException {
        JsonNode document =
                JSON.readTree(Path.of("src/test/resources/weir/feature/deploy/3producer-topic-performancetest.json")
                        .toFile());
        JsonNode load = app(
                marathon(
                        "load: { workers: " + producers + ", producers: " + producers
                                + ", rate: 1M/s, value: { size: 250B }, within: { cpu: 0.5, memory: 2000MiB } }",
                        "--connect",
                        "10.0.0.1:7411",
                        "--image",
                        "weir:0.1.0"),
                "load");
        assertThat(load.get("instances").asInt()).isEqualTo(producers);
        for (String same :
                new String[] {"cpus", "constraints", "networks", "disk", "requirePorts", "portDefinitions"}) {
            assertThat(load.get(same)).as(same).isEqualTo(document.get(same));
        }
        assertThat(load.get("mem").asLong())
                .isEqualTo(document.get("mem").asLong())
                .isEqualTo(2000);
        assertThat(load.get("container").get("type"))
                .isEqualTo(document.get("container").get("type"));
        assertThat(load.get("id").asText()).isEqualTo("/weir/two-codecs/load").matches("(/[a-z0-9.-]+)+");
        assertThat(load.get("cmd").asText())
                .isEqualTo("weir worker --connect 10.0.0.1:7411 --token /etc/weir/token --name load.$HOST");
    }

    @Test
    @Tag("with-http")
    void gatewaysAreAnApplicationWithTheirLimits() throws IOException {
        Shell shell = marathon(
                "load: { engine: { send: http, receive: client }, within: { cpu: 1, memory: 1GiB } }\n"
                        + "bridge: { gateway: { instances: 3, within: { cpu: 1, memory: 2GiB } } }",
                "--connect",
                "p1:7411");
        JsonNode gateways = app(shell, "gateway");
        assertThat(gateways.get("instances").asInt()).isEqualTo(3);
        assertThat(gateways.get("cpus").asDouble()).isEqualTo(1);
        assertThat(gateways.get("mem").asLong()).isEqualTo(2048);
        assertThat(gateways.get("labels"))
                .isEqualTo(JSON.readTree("{\"weir/experiment\": \"two-codecs\", \"weir/part\": \"gateway\"}"));
        assertThat(gateways.has("container")).isFalse();
    }

    @Test
    void applicationHasTheLargestLimitsOfAllVariants() throws IOException {
        Shell shell = marathon("""
                cluster: { brokers: 3, controllers: 1, fresh: trial, within: { cpu: 3, memory: 12GiB } }
                placed: { hosts: [a, b], start: by-hand, address: "10.0.0.9:7000" }
                load: { producers: 5, within: { cpu: 0.5, memory: 2000MiB } }
                variants: { one: {}, five: { load: { workers: 5, within: { memory: 1GiB } } } }
                """);
        assertThat(app(shell, "load").get("instances").asInt()).isEqualTo(5);
        assertThat(app(shell, "load").get("mem").asInt()).isEqualTo(2000);
        assertThat(app(shell, "broker").get("instances").asInt()).isEqualTo(4);
        assertThat(app(shell, "broker").get("cmd").asText()).contains("--connect 10.0.0.9:7000 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: { within: { cpu: 1 } }|p1:7411|load.within: Marathon needs limits for cores and memory; write within: { cpu: 0.5, memory: 2000MiB }",
                "load: { within: { cpu: 1, memory: 1GiB } }||--connect is missing, and load.placed has no address at which workers reach the run; write HOST:PORT, such as 10.0.0.1:7411",
                "load: { within: { cpu: 1, memory: 1GiB } }|p1|--connect: 'p1' has no port; write HOST:PORT"
            })
    void missingMarathonSettingIsReportedInOneLine(String yaml, String connect, String said) throws IOException {
        Shell shell = connect == null ? marathon(yaml) : marathon(yaml, "--connect", connect);
        assertThat(shell.err()).contains(said);
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
    }
}
