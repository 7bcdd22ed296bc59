package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The programs of this machine that others made. */
public final class Programs {
    private Programs() {}

    /** The program of this name on the PATH, or where those of the system are; an empty path where there is none. */
    public static Path named(String name) {
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin";
        for (String folder : path.split(":", -1)) {
            Path program = Path.of(folder, name);
            if (Files.isExecutable(program)) {
                return program;
            }
        }
        return Path.of("");
    }

    /**
     * Runs a program that takes a moment only, and returns what it said, without the last line end.
     *
     * @throws IllegalStateException with what it said, when it failed
     */
    public static String run(String... command) {
        String name = command[0];
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(name + " failed with " + code + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException("running " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ran", e);
        }
    }
}
