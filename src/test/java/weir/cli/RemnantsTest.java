package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.ClusterUnavailable;
import weir.host.Journal;

class RemnantsTest {
    private static final Remnants.Door NOBODY = bootstrap -> {
        throw new ClusterUnavailable("no Kafka answered at '" + bootstrap + "'");
    };

    @TempDir
    private Path folder;

    private Path run(String name, String... files) throws IOException {
        Path run = Files.createDirectories(folder.resolve("runs").resolve(name));
        for (String file : files) {
            Path at = run.resolve(file);
            Files.createDirectories(at.getParent());
            Files.writeString(at, "x");
        }
        return run;
    }

    private Remnants found() {
        return Remnants.find(folder, folder.resolve("runs"));
    }

    @Test
    void onlyRunsThatMeasuredNothingAreDeleted() throws Exception {
        Path empty =
                run("20261120-120000-a", "experiment.yaml", "experiment.json", "machine.json.part", "canary-1.bin");
        Files.createDirectory(empty.resolve("trials"));
        Path bare = run("20261120-120001-b");
        Path half = run("20261120-120002-c", "experiment.json", "trials/01-c-1/windows.csv.part");
        Path done = run("20261120-120003-d", "experiment.json", "conclusion.json");
        Path photos = run("20261120-120004-photos", "beach.jpg");
        Path other = run("photos", "beach.jpg");
        assertThat(found().told())
                .extracting(Remnants.Told::what)
                .containsExactly(empty.toString(), bare.toString(), half.toString(), photos.toString());
        assertThat(found().clean(NOBODY)).containsExactly("deleted " + empty, "deleted " + bare);
        assertThat(List.of(half, done, photos, other)).allMatch(Files::isDirectory);
        assertThat(empty).doesNotExist();
    }

    @Test
    void aRunThatIsUnderWayIsNoRemnant() throws Exception {
        Path run = run("20261120-120000-a", "experiment.json");
        try (Journal journal = Journal.open(folder)) {
            journal.run(run);
            assertThat(found().told()).isEmpty();
            journal.runOver(run);
            assertThat(found().emptyRuns()).containsExactly(run);
        }
    }

    @Test
    void aClusterWhoseProcessesAreGoneIsForgottenWithItsData() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data/log"));
        Path cluster = Files.createDirectories(folder.resolve("clusters/mine"));
        Files.writeString(cluster.resolve("cluster.properties"), """
                name=mine
                bootstrap=127.0.0.1\\:9092
                processes=999999999 boot\\:1,cut
                folder.0=%s
                """.formatted(data.getParent()));
        assertThat(found().told()).extracting(Remnants.Told::what).containsExactly("mine: 0 of 1 processes run");
        assertThat(found().clean(NOBODY)).containsExactly("deleted what was left of cluster 'mine'");
        assertThat(data.getParent()).doesNotExist();
        assertThat(cluster).doesNotExist();
        assertThat(found().told()).isEmpty();
    }

    @Test
    void topicsOnAClusterThatDoesNotAnswerAreNotForgotten() throws Exception {
        Path journal = Files.createDirectories(folder.resolve("journal"));
        Files.writeString(journal.resolve("1-a.txt"), "owner 999999999 boot:1\n+ topic elsewhere:9092 weir-a\n");
        assertThat(found().clean(NOBODY))
                .singleElement()
                .asString()
                .contains("left on elsewhere:9092", "no Kafka answered");
        assertThat(found().told()).extracting(Remnants.Told::what).containsExactly("weir-a on elsewhere:9092");
    }
}
