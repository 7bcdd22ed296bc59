package weir.feature.presets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.plan.Golden;

class PresetsCommandTest {
    @TempDir
    private Path folder;

    private Shell with(String goal, String properties) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.properties"), properties);
        return Shell.weir("presets", goal, "--with", file.toString());
    }

    @Test
    void withoutAGoalTheGoalsAreListed() {
        assertThat(Shell.weir("presets").out().lines().map(line -> line.split(" ", 2)[0]))
                .containsExactlyElementsOf(Preset.names());
    }

    @ParameterizedTest
    @ValueSource(strings = {"throughput", "throughput-high", "latency", "durability", "availability"})
    void eachGoalIsShownAsReviewedAndFitsATerminal(String goal) {
        String text = Shell.weir("presets", goal).out();
        Golden.assertSame("src/test/resources/weir/feature/presets/" + goal + ".txt", text);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void yoursStandsBesideThePresetWithWhatTheClientMakesOfIt() throws IOException {
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
    void whatTheClientChangesBecauseOfTheFileIsARowOfItsOwn() throws IOException {
        Shell shell = with("availability", "acks=1\n");
        assertThat(shell.out())
                .containsPattern("enable.idempotence +- +true +true +- +false\n")
                .contains("the client sets it to false because of the rest of the file");
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
    void unknownNamesAreRemarks() throws IOException {
        Shell shell = with("latency", "liger.ms=1\nacks=1\nbasic.auth.user.info=KEY:SECRET\n");
        assertThat(shell.exit()).isZero();
        assertThat(shell.out() + shell.err()).doesNotContain("SECRET");
        assertThat(shell.err())
                .hasLineCount(2)
                .contains("'basic.auth.user.info' is no property of a Kafka client, topic or broker")
                .contains("'liger.ms' is no property of a Kafka client, topic or broker; did you mean 'linger.ms'?");
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
    void aFileThatIsNoTextIsRefusedInOneLine() throws IOException {
        Path file = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xca, (byte) 0xfe, 0, 1, (byte) 0xff});
        Shell shell = Shell.weir("presets", "latency", "--with", file.toString());
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).hasLineCount(1).contains("is no text in UTF-8");
        assertThat(Shell.weir("presets", "latency", "--with", folder.toString()).err())
                .hasLineCount(1)
                .contains("is a folder");
    }
}
