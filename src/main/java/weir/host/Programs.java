package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The installed programs of this machine that Weir starts. */
public final class Programs {
    private Programs() {}

    /** The program on the PATH or in the system's folders; an empty path if it is missing. */
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
     * Runs a program that ends soon, and returns its output without the last line end.
     *
     * @throws IllegalStateException with its output if it failed
     */
    public static String run(String... command) {
        String name = command[0];
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(name + " failed with " + code + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("running " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ran", e);
        }
    }
}
