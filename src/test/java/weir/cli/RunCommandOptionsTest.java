package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RunCommandOptionsTest {
    @Test
    void aPodIsToldWhatACommandLaysOverItsFileBelowWhatTheUserDoes() {
        RunCommandOptions options = CommandLine.populateCommand(
                new RunCommandOptions(), "--on", "kubernetes", "--set", "load.rate=5/s", "--strict", "--a-a");
        assertThat(options.arguments("load.rate=1/s", "warmup=5s"))
                .containsSubsequence(
                        "--set", "load.rate=1/s", "--set", "warmup=5s", "--on", "kubernetes", "--set", "load.rate=5/s")
                .contains("--yes", "--strict", "--a-a");
    }

    @Test
    void aPodIsToldWhatIsToBeProfiled() {
        RunCommandOptions options = new RunCommandOptions();
        new CommandLine(options)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs("--profile=cpu,alloc", "--set", "load.rate=5/s");
        assertThat(options.arguments())
                .containsSubsequence("--set", "profile.what=[cpu, alloc]", "--set", "load.rate=5/s");
    }
}
