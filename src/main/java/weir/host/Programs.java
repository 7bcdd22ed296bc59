package weir.host;

import java.nio.file.Files;
import java.nio.file.Path;

/** The programs of this machine. */
final class Programs {
    private Programs() {}

    /** The program of this name on the PATH; an empty path where there is none. */
    static Path named(String name) {
        for (String folder :
                System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(":", -1)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        return Path.of("");
    }
}
