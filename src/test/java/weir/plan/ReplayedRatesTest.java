package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.trial.Estimate;

/** Rates from files, which other packages use, too, and rates that no sender reaches. */
public class ReplayedRatesTest {
    @TempDir
    private Path folder = Path.of("");

    public static Path file(String content) {
        return file(content.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Path file(byte[] content) {
        try {
            Path folder = Files.createTempDirectory("replay");
            Path file = folder.resolve("rates.csv");
            // The last registered file is deleted first.
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void replayedRateHoldsUntilTheNextLine() {
        Path file = file("seconds,rps\n# Monday\n100, 2\n\n101,0\n103,1\n");
        assertThat(ReplayedRates.read(file))
                .containsExactly(
                        new RateSpec.Part(0, 0, 1_000_000_000L, 2),
                        new RateSpec.Part(0, 1_000_000_000L, 3_000_000_000L, 0),
                        new RateSpec.Part(0, 3_000_000_000L, 5_000_000_000L, 1));
    }

    @Test
    void markAndLineEndsOfSpreadsheetsAreTaken() {
        byte[] content = "\uFEFFseconds,rps\r\n0,5\r\n1,7\r\n".getBytes(StandardCharsets.UTF_8);
        byte[] bare = "\uFEFF0,5\r\n1,7\r\n".getBytes(StandardCharsets.UTF_8);
        List<RateSpec.Part> plain = ReplayedRates.read(file("0,5\n1,7\n"));
        assertThat(ReplayedRates.read(file(content))).isEqualTo(plain);
        assertThat(ReplayedRates.read(file(bare))).isEqualTo(plain);
    }

    @Test
    void replayedRatesMayBeQuoted() {
        List<RateSpec.Part> plain = ReplayedRates.read(file("0,5\n1,7\n"));
        assertThat(ReplayedRates.read(file("\"seconds\",\"rps\"\n\"0\",\"5\"\n\"1\", \"7\"\n")))
                .isEqualTo(plain);
        assertThat(ReplayedRates.read(file("\"seconds, rps\"\n0,\"5\"\n1,7\n"))).isEqualTo(plain);
    }

    @Test
    void secondsOfTheCalendarAreTaken() {
        assertThat(new RateSpec.Replay(file("1700000000,5\n1700000060,7\n")).length())
                .isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|has 0 rates, but needs at",
                "0,5|has 1 rates, but needs at",
                "0,5;abc,7|(line 2): 'abc' is not a number from",
                "0,5;1,-7|(line 2): '-7' is not a number from",
                "0,5;1,NaN|'NaN' is not a number",
                "0,5;1,1e300|'1e300' is too large; must be at most 1G/s",
                "0,5;1,2e9|(line 2): '2e9' is too large; must be at most 1G/s",
                "0,5;9000000,7|(line 2): second '9000000' is more than 100 days after the first",
                "0,0;1,0|all rates of the file are 0",
                "-1,5;0,7|(line 1): '-1' is not a number from",
                "0,5;1|(line 2): '1' is not two numbers; write a start in seconds and a rate per second",
                "0,5;1,2,3|'1,2,3' is not two numbers",
                "30,5;30,7|(line 2): second '30' is not after the line before; the first number is a time",
                "a,b;c,d|(line 2): 'c' is not a number",
                "\u00ff,5|is not UTF-8 text",
            })
    void whatIsNoRateIsNamedWithItsLine(String content, String message) {
        Path file = file(content.replace(';', '\n'));
        assertThatThrownBy(() -> ReplayedRates.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> ReplayedRates.read(Path.of("nowhere.csv")))
                .hasMessageContaining("nowhere.csv: is missing, not a regular file");
    }

    private static List<String> lines(String yaml) {
        // The line of the file and a mark follow each problem.
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
                "``|has 0 rates, but needs at least",
                "0,5;9,7;4,7|(line 3): second '4' is not after the line before",
                "-3,5;0,7|(line 1): '-3' is not a number from",
                "0,5;1,many|(line 2): 'many' is not a number from",
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
                .contains(": is missing, not a regular file, or larger than");
    }

    @Test
    void aReplayThatIsNotThereKeepsAnExperimentFromRunning() {
        Path file = folder.resolve("none.csv");
        Experiment experiment = Plans.read("load: { rate: { replay: " + file + " } }\nmeasure: null");
        assertThat(experiment.missing())
                .singleElement()
                .extracting(Problem::text)
                .asString()
                .contains("load.rate.replay: '" + file + "' does not exist, or cannot be read");
    }

    @Test
    void replayedRatesGiveDurationAndRecordCount() throws IOException {
        Path file = Files.writeString(folder.resolve("rates.csv"), "0,100\n10,300\n");
        String yaml = "load: { rate: { replay: " + file + " }, value: { size: 40B } }\nmeasure: null\nwarmup: none\n";
        assertThat(Estimate.of(Plans.read(yaml)).records()).isEqualTo(4_000);
    }

    @Test
    void workersWithoutAProducerAreNotStartedAndReported() {
        LoadSpec load = Plans.only("load: { workers: 5, producers: 3 }").load();
        assertThat(load.processes()).isEqualTo(3);
        assertThat(load.idleWorkers())
                .isEqualTo("only 3 of 5 workers can share the load; to use all workers write producers: 5");
        assertThat(Plans.only("load: { workers: 3, producers: 3 }").load().idleWorkers())
                .isEmpty();
    }
}
