package weir.feature.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cli.Shell;
import weir.cli.WeirVersion;
import weir.plan.property.Property;
import weir.plan.read.Hash;
import weir.results.Machine;
import weir.results.RunFolder;
import weir.results.value.HostFacts;

class PublishCommandTest {
    private static final List<String> NAMES = List.of(
            "kafka-7.prod.acme.example",
            "kafka-8",
            "acme.example",
            "bigbox",
            "10.20.30.40",
            "192.168.7.9",
            "fe80::12ab:9",
            "alice",
            "/opt/secret",
            "/home/",
            "truststore.jks");
    private static final List<String> SECRETS =
            List.of("planted-pass-1", "planted-jaas-2", "planted-token-3", "planted-user-4", "planted-key-5", "hunter");

    @TempDir
    Path dir;

    private Path run = Path.of("");

    @BeforeEach
    void run() throws IOException {
        run = StoredRuns.run(dir, StoredRuns.COMPARISON, WeirVersion.number());
    }

    private Shell publish(String... more) {
        List<String> words = new ArrayList<>(
                List.of("publish", run.toString(), "--to", dir.resolve("out").toString()));
        words.addAll(List.of(more));
        return Shell.weir(words.toArray(String[]::new));
    }

    private Path folder() {
        return dir.resolve("out").resolve(run.getFileName());
    }

    private static void append(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    }

    /** Adds names and secrets to all kinds of files of the run, as a run on a real cluster may contain them. */
    private void plant() throws IOException {
        RunFolder folder = RunFolder.open(run);
        Machine machine = folder.machine();
        Map<String, String> facts = new LinkedHashMap<>(machine.facts());
        facts.put("generator.flags", "-Djava.io.tmpdir=/home/alice/tmp -Xlog:gc:/opt/secret/gc.log");
        facts.put(
                "note",
                "the disk of bigbox is /opt/secret/data. Its proxy is http://planted-user-4@kafka-7.prod.acme.example:80/x");
        Map<String, List<Property>> properties = new LinkedHashMap<>(machine.properties());
        properties.put(
                "a",
                List.of(
                        property("bootstrap.servers", "kafka-7.prod.acme.example:9092,[fe80::12ab:9]:9092"),
                        property("sasl.jaas.config", "x.PlainLoginModule required password=\"planted-jaas-2\";"),
                        property("ssl.key.password", "hunter"),
                        property("ssl.truststore.location", "/opt/secret/truststore.jks")));
        folder.machine(new Machine(
                facts,
                properties,
                List.of(new HostFacts("bigbox", "bigbox", 2, 1, "Linux", "17", List.of(0), List.of(), List.of()))));
        append(
                run.resolve("experiment.yaml"),
                "# alice@mail.acme.example runs it on kafka-8.prod.acme.example\n# password: planted-pass-1");
        append(
                run.resolve("trials/01-a-1/events.csv"),
                "3,note,broker 10.20.30.40 rejected token=planted-token-3 of hunter");
        append(run.resolve("trials/02-b-1/probes.csv"), "3,host bigbox,cpu.cores,1\n3,host-bigbox,cpu.cores,1");
        StoredRuns.replace(
                run.resolve("experiment.json"),
                "weir run e.yaml",
                "weir run e.yaml --label at=192.168.7.9 --label api.key=planted-key-5 --runs /opt/secret/runs");
    }

    private static Property property(String name, String value) {
        return new Property("producer", name, value, value, "", Property.Source.YOURS);
    }

    private List<String> found(List<String> texts) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder())) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (file.toString().endsWith(".gz")) {
                    bytes = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
                }
                String content = folder().relativize(file) + "\n" + new String(bytes, StandardCharsets.ISO_8859_1);
                texts.stream().filter(content::contains).forEach(text -> found.add(file.getFileName() + ": " + text));
            }
        }
        return found;
    }

    @Test
    void namesAndSecretsAreInNoByteOfAnyFile() throws IOException {
        plant();
        Shell shell = publish();
        assertThat(shell.err()).isEmpty();
        assertThat(found(NAMES)).isEmpty();
        assertThat(found(SECRETS)).isEmpty();
        assertThat(found(List.of(dir.toString()))).isEmpty();
        assertThat(Shell.weir("verify", folder().toString()).exit()).isZero();
    }

    @Test
    void keptNamesStayAndSecretsDoNot() throws IOException {
        plant();
        Shell shell = publish("--keep-names");
        assertThat(shell.err()).isEmpty();
        assertThat(found(List.of("kafka-7.prod.acme.example", "/opt/secret/truststore.jks")))
                .isNotEmpty();
        assertThat(found(SECRETS)).isEmpty();
        assertThat(Shell.weir("verify", folder().toString()).exit()).isZero();
    }

    @Test
    void secretWithTheDigitsOfAFigureLeavesTheFigure() throws IOException {
        String trial = "trials/01-a-1/trial.json";
        String digits = Files.readString(run.resolve(trial)).replaceFirst("(?s).*? : (\\d{4,}),.*", "$1");
        RunFolder folder = RunFolder.open(run);
        folder.machine(new Machine(
                folder.machine().facts(),
                Map.of("a", List.of(property("ssl.key.password", digits))),
                folder.machine().hosts()));
        StoredRuns.replace(run.resolve("experiment.json"), "weir run e.yaml", "weir run e.yaml --label pin=" + digits);
        assertThat(publish().err()).isEmpty();
        assertThat(Files.readString(folder().resolve(trial))).contains(" : " + digits + ",");
        assertThat(Files.readString(folder().resolve("experiment.json"))).contains("--label pin=***");
        assertThat(Shell.weir("verify", folder().toString()).exit()).isZero();
    }

    @Test
    void oneNameHasOnePseudonymInAllFiles() throws IOException {
        append(
                run.resolve("experiment.yaml"),
                "# on http://kafka-8.acme.example:80 and http://kafka-9.acme.example:80");
        append(run.resolve("trials/01-a-1/events.csv"), "3,note,kafka-9.acme.example is slow");
        assertThat(publish().err()).isEmpty();
        String text = Files.readString(folder().resolve("experiment.yaml"));
        String name = text.replaceFirst("(?s).* and http://(host-\\d+):80\\s*", "$1");
        assertThat(Files.readString(folder().resolve("trials/01-a-1/events.csv")))
                .contains("3,note," + name + " is slow");
    }

    @Test
    void timesVersionsAndTextsAreNoNames() throws IOException {
        String line =
                "# at 2026-11-29 12:34:56, Java 11.0.20.1+1, p50/p99 of 5 records/s, 3 / 4, <b>x</b>, a/b, 127.0.0.1:9092";
        append(run.resolve("experiment.yaml"), line + "\n# ip:10.20.30.40, file:///opt/a/b.jks, mac 02:42:ac:11:00:02");
        assertThat(publish().err()).isEmpty();
        assertThat(Files.readString(folder().resolve("experiment.yaml")))
                .contains(line)
                .containsPattern("# ip:host-\\d+, file:///path-\\d+, mac host-\\d+");
    }

    @Test
    void checksumsAreThoseOfAllFiles() throws IOException {
        assertThat(publish().exit()).isZero();
        List<String> sums = Files.readAllLines(folder().resolve("SHA256SUMS"));
        for (String line : sums) {
            assertThat(line).isEqualTo(Hash.of(folder().resolve(line.substring(66))) + "  " + line.substring(66));
        }
        assertThat(Files.readString(folder().resolve("RESULT.md")))
                .contains("SHA-256 of `SHA256SUMS`: `" + Hash.of(folder().resolve("SHA256SUMS")) + "`");
        try (Stream<Path> all = Files.walk(folder())) {
            assertThat(all.filter(Files::isRegularFile)).hasSize(sums.size() + 2);
        }
    }

    @Test
    void pageShowsFiguresWithSamplesAndIntervals() throws IOException {
        assertThat(publish().exit()).isZero();
        assertThat(Files.readString(folder().resolve("RESULT.md")))
                .contains("**Question:** Is \\<b\\>linger\\</b\\> \\| slower?")
                .containsPattern("\\| a 1 \\| response \\| .* \\| 4,000 \\|")
                .containsPattern("\\| b / a, response p99 \\| 1.00× .*1.00×, 1.00×.* \\|")
                .contains("weir verify .");
    }

    @Test
    void pageOfSearchShowsItsTrialsAndInterval() throws IOException {
        run = StoredRuns.run(dir, StoredRuns.SEARCH, WeirVersion.number());
        assertThat(publish().err()).isEmpty();
        assertThat(Files.readString(folder().resolve("RESULT.md")))
                .containsPattern("\\| search, base 1 \\| 1,250/s \\| ")
                .containsPattern("\\| search, base 1 \\| response \\| .* \\| [0-9,]+ \\|")
                .containsPattern("\\| capacity of base \\| [0-9,]+/s \\\\\\[[0-9,]+, [0-9,]+");
    }

    @Test
    void existingFolderStaysAsItIs() throws IOException {
        Files.createDirectories(folder());
        Shell shell = publish();
        assertThat(shell.err())
                .contains("exists; remove it, or name another folder")
                .hasLineCount(1);
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(folder()).isEmptyDirectory();
    }

    @Test
    void runWithWrongFiguresIsNotPublished() throws IOException {
        StoredRuns.replace(run.resolve("trials/01-a-1/trial.json"), "\"acked\" : 4000", "\"acked\" : 4001");
        Shell shell = publish();
        assertThat(shell.err())
                .contains("trials/01-a-1/trial.json: acked: found 4001, expected 4000")
                .hasLineCount(1);
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(dir.resolve("out")).isEmptyDirectory();
    }

    @Test
    void unfinishedRunIsNotPublished() throws IOException {
        Files.delete(run.resolve("conclusion.json"));
        Shell shell = publish();
        assertThat(shell.err()).contains("this run is unfinished").hasLineCount(1);
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(dir.resolve("out")).doesNotExist();
    }
}
