package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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

    /** It is kept where the user is; a folder that is brought home has its labels. */
    @Test
    void aRunAndAPodAreToldTheLabelsAndNoPodAFolderOfThisMachine() {
        RunCommandOptions options = CommandLine.populateCommand(
                new RunCommandOptions(), "--label", "commit=4f2a91c", "--history", "/data/weir");
        assertThat(options.labels().labels()).containsExactly(Map.entry("commit", "4f2a91c"));
        assertThat(options.arguments())
                .containsSubsequence("--label", "commit=4f2a91c")
                .doesNotContain("--history");
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
