package weir.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The user's browser, on machines with a desktop. */
public final class Browser {
    private Browser() {}

    public static boolean available(Map<String, String> environment) {
        return !opener(environment).isEmpty();
    }

    public static Process open(Path file, Map<String, String> environment) {
        return open(file.toAbsolutePath().toString(), environment);
    }

    /** Opens an address. Every user of this machine can see the address, so it must not contain a secret. */
    public static Process open(String file, Map<String, String> environment) {
        String opener = opener(environment);
        if (opener.isEmpty()) {
            throw new IllegalStateException("this machine has no desktop to open " + file);
        }
        try {
            return new ProcessBuilder(List.of(opener, file))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("opening " + file + " with " + opener, e);
        }
    }

    private static String opener(Map<String, String> environment) {
        boolean desktop = environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY");
        for (String folder : environment.getOrDefault("PATH", "").split(":", -1)) {
            if (desktop && Files.isExecutable(Path.of(folder, "xdg-open"))) {
                return folder + "/xdg-open";
            }
            if (System.getProperty("os.name", "").startsWith("Mac") && Files.isExecutable(Path.of(folder, "open"))) {
                return folder + "/open";
            }
        }
        return "";
    }
}
