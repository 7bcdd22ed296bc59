package weir.feature.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.cli.Shell;
import weir.cli.WeirVersion;

class VerifyCommandTest {
    private static final int PLACES = 200;

    @TempDir
    static Path shared = Path.of("");

    private static Path published = Path.of("");

    @TempDir
    Path dir;

    private Path folder = Path.of("");

    @BeforeAll
    static void publish() throws IOException {
        published = published(shared, StoredRuns.COMPARISON, WeirVersion.number());
    }

    private static Path published(Path dir, String plan, String weir) throws IOException {
        Path run = StoredRuns.run(dir, plan, weir);
        Shell shell =
                Shell.weir("publish", run.toString(), "--to", dir.resolve("out").toString());
        assertThat(shell.err()).isEmpty();
        return Path.of(shell.out().strip());
    }

    @BeforeEach
    void copy() throws IOException {
        folder = dir.resolve("copy");
        for (Path file : files(published)) {
            Path to = folder.resolve(published.relativize(file).toString());
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private Shell verify() {
        return Shell.weir("verify", folder.toString());
    }

    private void assertDiffers(String where) {
        Shell shell = verify();
        assertThat(shell.err()).contains(where);
        assertThat(shell.exit()).isEqualTo(5);
    }

    @Test
    void unchangedFolderIsVerified() {
        Shell shell = verify();
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).contains(": verified; ", " of 8 trials ");
        assertThat(shell.exit()).isZero();
    }

    @Test
    void changedByteIsFoundAtEachOf200RandomPlaces() throws IOException {
        folder = published(dir, StoredRuns.SINGLE, WeirVersion.number());
        Random random = new Random(51);
        List<Path> files = files(folder);
        int found = 0;
        for (int i = 0; i < PLACES; i++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] bytes = Files.readAllBytes(file);
            byte[] changed = bytes.clone();
            changed[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            Files.write(file, changed);
            found += verify().exit() == 5 ? 1 : 0;
            Files.write(file, bytes);
        }
        assertThat(found).isEqualTo(PLACES);
        assertThat(verify().exit()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "figure  | trials/01-a-1/trial.json | \"acked\" : 4000 | \"acked\" : 4001"
                        + " | trials/01-a-1/trial.json: acked: found 4001, expected 4000",
                "verdict | conclusion.json | \"verdict\" : \"passed\" | \"verdict\" : \"failed\""
                        + " | conclusion.json: expect[0].verdict: found \"failed\", expected \"passed\"",
                "setting | experiment.yaml | linger.ms: 20 | linger.ms: 21"
                        + " | experiment.json: variant 'b', load.producer.linger.ms: found 20, expected 21"
            })
    void changeWithNewChecksumsIsNamed(String what, String file, String old, String by, String told)
            throws IOException {
        StoredRuns.replace(folder.resolve(file), old, by);
        StoredRuns.seal(folder);
        assertDiffers(told);
    }

    @Test
    void changedIntervalWithNewChecksumsIsNamed() throws IOException {
        Path conclusion = folder.resolve("conclusion.json");
        Files.writeString(conclusion, Files.readString(conclusion).replaceFirst("\"low\" : (?=\\d)", "\"low\" : 1"));
        StoredRuns.seal(folder);
        assertDiffers(".low: found 1");
    }

    @Test
    void removedHistogramWithNewChecksumsIsNamed() throws IOException {
        Path log = folder.resolve("trials/02-b-1/latency.hlog");
        List<String> lines = Files.readAllLines(log);
        lines.remove(lines.size() - 3);
        Files.write(log, lines);
        StoredRuns.seal(folder);
        assertDiffers("trials/02-b-1/");
    }

    @Test
    void changedPageWithNewChecksumsIsNamed() throws IOException {
        Path page = folder.resolve("RESULT.md");
        String sealed = new PublishedFolder(folder)
                .sealed(Files.readString(page)
                        .replaceFirst("(?s)SHA-256 of `SHA256SUMS.*", "")
                        .replace("4,000", "9,000"));
        Files.writeString(page, sealed);
        assertDiffers("RESULT.md: line ");
    }

    @Test
    void addedAndMissingFilesAreNamed() throws IOException {
        Files.writeString(folder.resolve("trials/more.json"), "{}");
        Files.delete(folder.resolve("machine.json"));
        assertDiffers("trials/more.json: found a file, expected no such file in SHA256SUMS");
        assertDiffers("machine.json: SHA-256: found no such file, expected ");
    }

    @Test
    void newReportOfTheFolderIsNoDifference() {
        assertThat(Shell.weir("report", folder.toString()).exit()).isZero();
        assertThat(verify().exit()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {StoredRuns.SEARCH, StoredRuns.STEPS})
    void searchesAndStepsAreVerified(String plan) throws IOException {
        Path other = published(dir, plan, WeirVersion.number());
        assertThat(Shell.weir("verify", other.toString()).exit()).isZero();
        Path conclusion = other.resolve("conclusion.json");
        String rate = plan.equals(StoredRuns.SEARCH) ? "\"rate\" : 2" : "\"sustained\" : 4";
        StoredRuns.replace(conclusion, rate, rate + "1");
        StoredRuns.seal(other);
        assertThat(Shell.weir("verify", other.toString()).exit()).isEqualTo(5);
    }

    @Test
    void sentencesOfAnotherReleaseMayDiffer() throws IOException {
        folder = published(dir, StoredRuns.COMPARISON, "0.0.1");
        StoredRuns.replace(folder.resolve("conclusion.json"), "\"answer\" : \"", "\"answer\" : \"Other words. ");
        StoredRuns.seal(folder);
        assertThat(verify().exit()).isZero();
        StoredRuns.replace(folder.resolve("conclusion.json"), "\"verdict\" : \"passed\"", "\"verdict\" : \"failed\"");
        StoredRuns.seal(folder);
        assertDiffers("expect[0].verdict");
    }

    @Test
    void newerFormatIsOneLine() throws IOException {
        StoredRuns.replace(folder.resolve("publication.json"), "\"format\" : 1", "\"format\" : 2");
        StoredRuns.seal(folder);
        Shell shell = verify();
        assertThat(shell.err().lines())
                .containsExactly(folder + ": has format 2, but this Weir reads formats up to 1; use Weir "
                        + WeirVersion.number());
        assertThat(shell.exit()).isEqualTo(2);
    }

    @Test
    void folderWithoutPublicationIsOneLine() throws IOException {
        folder = Files.createDirectory(dir.resolve("empty"));
        Shell shell = verify();
        assertThat(shell.err().lines())
                .containsExactly(folder + ": has no publication.json, so it is not a published result; publish a run"
                        + " with: weir publish RUN --to DIR");
        assertThat(shell.exit()).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void resultInTheDocumentationIsTheSameWhenComputedAgain() throws Exception {
        String archive =
                Path.of("docs/results/every-release.tar.xz").toAbsolutePath().toString();
        assertThat(new ProcessBuilder("tar", "xf", archive, "-C", dir.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        Shell shell = Shell.weir("verify", dir.resolve("every-release").toString());
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).contains("verified", "224 trials");
        assertThat(shell.exit()).isZero();
    }
}
