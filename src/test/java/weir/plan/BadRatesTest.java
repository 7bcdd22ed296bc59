package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.trial.Estimate;

/** A rate that nobody can send is answered before anything starts: one line, where it is, and what to write. */
class BadRatesTest {
    @TempDir
    private Path folder = Path.of("");

    private static List<String> lines(String yaml) {
        // Below each problem stands the line of the file and a mark.
        return Plans.problems(yaml)
                .lines()
                .filter(line -> line.startsWith("x.yaml"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|has 0 rates, and needs two or more",
                "0,5;9,7;4,7|(line 3): second '4' does not come after the one before",
                "-3,5;0,7|(line 1): '-3' is not a number >= 0",
                "0,5;1,many|(line 2): 'many' is not a number >= 0",
            })
    void aReplayThatIsNoneIsOneLineWithTheFilesOwn(String content, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("rates.csv"), content.replace(';', '\n'));
        assertThat(lines("load: { rate: { replay: " + file + " } }\nmeasure: null"))
                .singleElement()
                .asString()
                .startsWith("x.yaml:1:")
                .contains("load.rate.replay: " + file, message);
    }

    @Test
    void aReplayThatIsAFolderIsNone() {
        assertThat(lines("load: { rate: { replay: " + folder + " } }\nmeasure: null"))
                .singleElement()
                .asString()
                .contains("is not there, not a file");
    }

    @Test
    void aReplayThatIsNotThereKeepsAnExperimentFromRunning() {
        Path file = folder.resolve("none.csv");
        Experiment experiment = Plans.read("load: { rate: { replay: " + file + " } }\nmeasure: null");
        assertThat(experiment.missing())
                .singleElement()
                .extracting(Problem::text)
                .asString()
                .contains("load.rate.replay: '" + file + "' is not there, or cannot be read");
    }

    @Test
    void aReplayTellsHowLongItTakesAndHowMuchItWrites() throws IOException {
        Path file = Files.writeString(folder.resolve("rates.csv"), "0,100\n10,300\n");
        String yaml = "load: { rate: { replay: " + file + " }, value: { size: 40B } }\nmeasure: null\nwarmup: none\n";
        assertThat(Estimate.of(Plans.read(yaml)).records()).isEqualTo(4_000);
    }

    @Test
    void workersWithoutAProducerAreNotStartedAndThatIsSaid() {
        LoadSpec load = Plans.only("load: { workers: 5, producers: 3 }").load();
        assertThat(load.processes()).isEqualTo(3);
        assertThat(load.idleWorkers()).isEqualTo("of 5 workers only 3 can share the load; for all write producers: 5");
        assertThat(Plans.only("load: { workers: 3, producers: 3 }").load().idleWorkers())
                .isEmpty();
    }
}
