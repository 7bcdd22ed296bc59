package weir.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A killed process by its journal: the journal of this process under the name of an ended process. */
final class Killed {
    private static final String DEAD = "999999999~boot:1~";

    private Killed() {}

    /** Cleans up the one journal of this state folder, and returns the actions. */
    static List<String> clear(Path state) throws IOException {
        try (Stream<Path> journals = Files.list(state.resolve("journal"))) {
            Path journal = journals.findFirst().orElseThrow();
            String own = String.valueOf(journal.getFileName());
            Files.move(journal, journal.resolveSibling(DEAD + own.substring(own.lastIndexOf('~') + 1)));
        }
        return Journal.clearAll(state);
    }
}
