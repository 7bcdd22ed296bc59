package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import weir.feature.NeedsFeature;
import weir.results.RunFolder;
import weir.run.FakeLab;
import weir.run.RunListener;

class RunWatchesTest {
    @TempDir
    private Path dir;

    @Test
    void aStopFromThePageIsReportedInTheTerminal() {
        List<String> noted = new ArrayList<>();
        try (RunWatches watches = new RunWatches()) {
            watches.listenedToBy(FakeLab.listener(false, noted::add));
            watches.stopBy(() -> noted.add("interrupted"));
            watches.stop("the live page");
        }
        assertThat(noted).containsExactly("stopped from the live page", "interrupted");
    }

    @Test
    void aWatchThatCannotShowTheEndIsReportedAndStopsNoOther() throws IOException {
        List<String> noted = new ArrayList<>();
        List<String> over = new ArrayList<>();
        try (RunWatches watches = new RunWatches()) {
            watches.add(new Watch(() -> {
                throw new IllegalStateException("planted");
            }));
            watches.add(new Watch(() -> over.add("over")));
            watches.listenedToBy(FakeLab.listener(false, noted::add));
            Path run = Files.createDirectory(dir.resolve("20260101-000000-e"));
            Files.writeString(run.resolve("experiment.json"), "{}");
            watches.over(RunFolder.list(dir).get(0));
        }
        assertThat(noted).singleElement().asString().contains("planted");
        assertThat(over).containsExactly("over");
    }

    private record Watch(Runnable atTheEnd) implements RunWatch {
        @Override
        public RunListener listener() {
            return question -> false;
        }

        @Override
        public void over(RunFolder folder) {
            atTheEnd.run();
        }

        @Override
        public void close() {}
    }

    @Test
    void podGetsOverridesOfTheCommandBeforeThoseOfTheUser() {
        RunCommandOptions options = CommandLine.populateCommand(
                new RunCommandOptions(), "--on", "kubernetes", "--set", "load.rate=5/s", "--strict", "--a-a");
        assertThat(options.arguments("load.rate=1/s", "warmup=5s"))
                .containsSubsequence(
                        "--set", "load.rate=1/s", "--set", "warmup=5s", "--on", "kubernetes", "--set", "load.rate=5/s")
                .contains("--yes", "--strict", "--a-a");
    }

    /** The history stays on the user's machine. A fetched run folder has its labels. */
    @Test
    @NeedsFeature("trend")
    void podGetsLabelsButNoHistoryFolderOfThisMachine() {
        RunCommandOptions options = CommandLine.populateCommand(
                new RunCommandOptions(), "--label", "commit=4f2a91c", "--history", "/data/weir");
        assertThat(options.labels().labels()).containsExactly(Map.entry("commit", "4f2a91c"));
        assertThat(options.arguments())
                .containsSubsequence("--label", "commit=4f2a91c")
                .doesNotContain("--history");
    }

    @Test
    @NeedsFeature("profile")
    void podGetsTheProfileOption() {
        RunCommandOptions options = new RunCommandOptions();
        new CommandLine(options)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs("--profile=cpu,alloc", "--set", "load.rate=5/s");
        assertThat(options.arguments())
                .containsSubsequence("--set", "profile.what=[cpu, alloc]", "--set", "load.rate=5/s");
    }
}
