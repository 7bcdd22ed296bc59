package weir.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A process that was killed, as its journal tells: that of this process, under the name of one that is no more. */
final class Killed {
    private static final String DEAD = "999999999~boot:1~";

    private Killed() {}

    /** Clears what the one journal of this state folder names, and tells what was done. */
    static List<String> clear(Path state) throws IOException {
        try (Stream<Path> journals = Files.list(state.resolve("journal"))) {
            Path journal = journals.findFirst().orElseThrow();
            String own = String.valueOf(journal.getFileName());
            Files.move(journal, journal.resolveSibling(DEAD + own.substring(own.lastIndexOf('~') + 1)));
        }
        return Journal.clearAll(state);
    }
}
