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
                "\"1000:30,\"|'' is no stage of a pace; a pace is a list of rates a second and seconds",
                "\"1000:\"|'1000:' is no stage of a pace",
                "\"1000:30,1100:-5\"|'1100:-5' is no stage of a pace",
                "\"1000:30,1100:0\"|'0s' is no time at all",
                "2000GB/s|'2000GB/s' is more than anything here can send; the most is 1000GB/s",
                "0/s|load.rate: must be above 0/s",
                "-5/s|'-5/s' is not a rate",
                "{ steps: [1000/s for 0s] }|'0s' is no time at all",
                "{ steps: [-1/s for 5s] }|'-1/s' is not a rate",
                "{ steps: [1000/s for -5s] }|'-5s' is not a duration",
                "{ steps: [1000/s to 2000G/s by 1000G/s for 5s] }|'2000G/s' is more than anything",
                "{ poisson: 0/s }|load.rate.poisson: must be above 0/s",
                "{ burst: 0 every 10s }|'0 every 10s' is a burst of nothing; write it like 1000 every 10s",
                "{ burst: 1000 every 0s }|'0s' is no time at all",
                "{ burst: 1000 }|'1000' is not a burst; write it like 1000 every 10s",
                "{ burst: 1000G every 1s }|'1000G every 1s' is more than anything here can send; the most is 1G/s",
                "{ ramp: { from: 5/s, to: 5/s, over: 9s } }|load.rate.ramp.to: '5/s' is where it starts",
                "{ ramp: { from: 5/s, to: 5MB/s, over: 9s } }|load.rate.ramp.to: '5MB/s' is not of the unit of from",
                "{ ramp: { from: 1/s, to: 5/s, over: 0s } }|load.rate.ramp.over: must be above 0s",
            })
    void whatNobodyCanSendIsOneLine(String rate, String message) {
        String measure = rate.contains("steps") || rate.contains(":30") ? "\nmeasure: null" : "";
        assertThat(lines("load: { rate: " + rate + " }" + measure))
                .as(rate)
                .singleElement()
                .asString()
                .startsWith("x.yaml:1:")
                .contains(message);
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "workers: 0|must be at least 1, found '0'",
                "workers: 501, producers: 501|must be at most 500, found '501'",
            })
    void workersThatCannotBeAreOneLine(String load, String message) {
        assertThat(lines("load: { " + load + " }")).singleElement().asString().contains("load.workers: " + message);
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
