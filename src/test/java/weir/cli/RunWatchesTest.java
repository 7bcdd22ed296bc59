package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.results.RunFolder;
import weir.run.RunListener;

class RunWatchesTest {
    @TempDir
    private Path dir;

    private static RunListener notes(List<String> heard) {
        return new RunListener() {
            @Override
            public boolean agrees(String question) {
                return false;
            }

            @Override
            public void note(String text) {
                heard.add(text);
            }
        };
    }

    @Test
    void aStopFromThePageIsReportedInTheTerminal() {
        List<String> heard = new ArrayList<>();
        try (RunWatches watches = new RunWatches()) {
            watches.listenedToBy(notes(heard));
            watches.stopBy(() -> heard.add("interrupted"));
            watches.stop("the live page");
        }
        assertThat(heard).containsExactly("stopped from the live page", "interrupted");
    }

    @Test
    void aWatchThatCannotShowTheEndIsReportedAndStopsNoOther() throws IOException {
        List<String> heard = new ArrayList<>();
        List<String> over = new ArrayList<>();
        try (RunWatches watches = new RunWatches()) {
            watches.add(new Watch(() -> {
                throw new IllegalStateException("planted");
            }));
            watches.add(new Watch(() -> over.add("over")));
            watches.listenedToBy(notes(heard));
            Path run = Files.createDirectory(dir.resolve("20260101-000000-e"));
            Files.writeString(run.resolve("experiment.json"), "{}");
            watches.over(RunFolder.list(dir).get(0));
        }
        assertThat(heard).singleElement().asString().contains("planted");
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
}
