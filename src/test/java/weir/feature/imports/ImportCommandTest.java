package weir.feature.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.plan.Golden;
import weir.plan.Plans;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;

/** The samples of {@code cases.txt}: a name, a format, and the files of the source. */
class ImportCommandTest {
    private static final Path SAMPLES = Path.of("src/test/resources/weir/feature/imports");

    private static final Pattern NAMES = Pattern.compile("\"(\\w+)\"\\s*:");
    private static final List<String> FIELDS = List.of(
            "from", "is", "when", "to", "of", "as", "words", "times", "minus", "per", "most", "largest", "also",
            "write", "note", "why-not");

    @TempDir
    private Path folder;

    static List<String> cases() throws IOException {
        return Files.readAllLines(SAMPLES.resolve("cases.txt"));
    }

    private static Shell imported(String words) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("import"));
        for (String word : words.split(" ", -1)) {
            Path sample = SAMPLES.resolve(word);
            boolean command = word.endsWith(".perf");
            arguments.add(command ? Files.readString(sample) : Files.exists(sample) ? sample.toString() : word);
        }
        return Shell.weir(arguments.toArray(String[]::new));
    }

    private Shell importedText(String format, String name, String text) throws IOException {
        return Shell.weir(
                "import", format, Files.writeString(folder.resolve(name), text).toString());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void sampleBecomesTheReviewedExperimentFile(String line) throws IOException {
        String[] nameAndWords = line.split(" +", 2);
        Shell shell = imported(nameAndWords[1]);
        assertThat(shell.err()).isEmpty();
        Golden.assertSame(
                SAMPLES.resolve("expected").resolve(nameAndWords[0] + ".yaml").toString(), shell.out());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void experimentFileHasNoProblemsAndNoSecrets(String line) throws IOException {
        Shell shell = imported(line.split(" +", 2)[1]);
        assertThat(Plans.problems(shell.out())).isEmpty();
        assertThat(shell.out()).doesNotContain("secret-of-load", "changeit");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyKeyOfTheSourceIsNamed(String line) throws IOException {
        String[] words = line.split(" +", -1);
        String text = imported(line.split(" +", 2)[1]).out();
        for (String word : List.of(words).subList(2, words.length)) {
            String source = Files.readString(SAMPLES.resolve(word));
            Stream<String> keys = word.endsWith(".yaml")
                    ? source.lines()
                            .map(key -> key.replaceFirst("[:=].*", "").strip())
                            .filter(key -> !key.endsWith("Config"))
                    : word.endsWith(".perf")
                            ? Stream.of(source.split("\\s+"))
                                    .filter(key -> key.startsWith("--"))
                                    .map(key -> key.replaceFirst("=.*", ""))
                                    .filter(key -> !key.equals("--producer-props"))
                            : NAMES.matcher(word.endsWith(".json") ? source : "")
                                    .results()
                                    .map(name -> name.group(1));
            assertThat(keys).allSatisfy(key -> assertThat(text).contains(key));
        }
    }

    @Test
    void rowsOfAllFormatsNameAWeirKeyOrAReason() {
        for (String format : List.of("omb", "perf", "k6", "trogdor")) {
            List<Tree.Section> rows = Translation.table(format).sections("rows");
            assertThat(rows)
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row.has("to") != row.has("why-not"))
                            .as("%s: %s", format, row.line())
                            .isTrue());
            assertThat(rows)
                    .allSatisfy(
                            row -> assertThat(FIELDS).containsAll(row.entries().keySet()));
            assertThat(rows.stream().map(row -> row.text("to")).filter(to -> !to.isEmpty()))
                    .allSatisfy(to -> assertThat(Keys.ROOT.children()).containsKey(to.split("\\.", -1)[0]));
        }
    }

    @Test
    void payloadFileOfTheSourceBecomesTheFileOfValues() throws IOException {
        Path payload = Files.writeString(folder.resolve("payload.data"), "x".repeat(50));
        Shell shell = importedText(
                "omb",
                "w.yaml",
                "topics: 1\npartitionsPerTopic: 1\nmessageSize: 50\ntestDurationMinutes: 1\npayloadFile: " + payload);
        assertThat(shell.out())
                .contains("file: ", payload.toString(), "each: file")
                .doesNotContain("size:");
        assertThat(Plans.problems(shell.out())).isEmpty();
    }

    @Test
    void longAndDeepScriptIsRead() throws IOException {
        String script = "const text = `" + "x\\n".repeat(100_000) + "`; const deep = " + "[".repeat(100_000)
                + "\nconst w = new Writer({ brokers: [\"k:9092\"], topic: \"t\" });";
        Shell shell = importedText("k6", "long.js", script);
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).contains("bootstrap: \"k:9092\"");
    }

    @Test
    void outWritesANewFileAndKeepsAnExistingOne() throws IOException {
        Path out = folder.resolve("out.yaml");
        String workload = SAMPLES.resolve("orders.workload.yaml").toString();
        assertThat(Shell.weir("import", "omb", workload, "--out", out.toString())
                        .exit())
                .isZero();
        assertThat(Plans.problems(Files.readString(out))).isEmpty();
        Shell.weir("import", "omb", workload, "--out", out.toString())
                .refused("--out: '" + out + "' exists; name another file");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void truncatedSourceIsReadOrRefusedInOneLine(String line) throws IOException {
        String[] words = line.split(" +", -1);
        String text = Files.readString(SAMPLES.resolve(words[2]));
        for (int end = 1; end < text.length(); end += 1 + text.length() / 40) {
            String part = text.substring(0, end);
            Shell shell = words[1].equals("perf")
                    ? Shell.weir("import", "perf", part)
                    : importedText(words[1], words[2], part);
            if (shell.exit() == 0) {
                assertThat(Plans.problems(shell.out())).as(part).isEmpty();
            } else {
                shell.refused("");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"omb", "k6", "trogdor"})
    void missingFileIsOneLine(String format) {
        Shell.weir("import", format, folder.resolve("none").toString())
                .refused("none' cannot be read (this file is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "omb | topics: [ | this is not YAML",
                "omb | just text | is not a workload of OpenMessaging Benchmark: it has no keys",
                "omb | publishRate: [1.5] | it has no key 'topics'",
                "trogdor | { 'class': | this is not YAML",
                "trogdor | { 'durationMs': 5 } | is not a task of Trogdor: it has no key 'class'",
                "trogdor | { 'class': 'a.NoOpTaskSpec' } | class: must be one of ProduceBenchSpec, ConsumeBenchSpec, RoundTripWorkloadSpec, found 'NoOpTaskSpec'",
                "k6 | export default function () {} | is not a script of xk6-kafka: it has no 'new Writer' or 'new Reader'",
            })
    void sourceOfAnotherKindIsOneLine(String format, String text, String message) throws IOException {
        importedText(format, "source", text).refused(message);
    }

    @Test
    void driverOfAnotherSystemIsOneLine() throws IOException {
        Path driver = Files.writeString(folder.resolve("d.yaml"), "driverClass: a.b.PulsarBenchmarkDriver");
        String workload = SAMPLES.resolve("orders.workload.yaml").toString();
        Shell.weir("import", "omb", workload, driver.toString())
                .refused("driverClass: must be the Kafka driver, found");
    }

    @Test
    void commandOfAnotherToolIsOneLine() {
        Shell.weir("import", "perf", "kafka-topics.sh --list")
                .refused("the command must begin with a tool of Kafka, one of");
        Shell.weir("import", "jmeter", "x").refused("TOOL: must be omb, perf, k6 or trogdor, found 'jmeter'");
        Shell.weir("import", "k6", "x", "y").refused("'y': only omb has a driver; remove the argument");
    }
}
