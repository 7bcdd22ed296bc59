package weir.host;

import java.nio.file.Path;
import java.util.Map;

/** Weir's own folders in a user's home, placed by the XDG Base Directory standard. */
public record HomeFolders(Map<String, String> environment, String userHome) {
    /** The exception for a user without a home folder. */
    public static final class NoHomeFolder extends RuntimeException {
        private static final long serialVersionUID = 1;

        private NoHomeFolder(String variable) {
            super("this user has no home folder; set HOME or " + variable + " to a writable folder");
        }
    }

    public HomeFolders {
        environment = Map.copyOf(environment);
    }

    public static HomeFolders ofThisUser() {
        return new HomeFolders(System.getenv(), System.getProperty("user.home", ""));
    }

    /** {@code $XDG_STATE_HOME/weir}, or {@code ~/.local/state/weir}: files that a later start needs. */
    public Path state() {
        return folder("XDG_STATE_HOME", ".local/state");
    }

    /** {@code $XDG_CACHE_HOME/weir}, or {@code ~/.cache/weir}: files that Weir can download or create again. */
    public Path cache() {
        return folder("XDG_CACHE_HOME", ".cache");
    }

    // HOME wins over the passwd entry, which may be missing in a container: Java then reports "?".
    private Path folder(String variable, String below) {
        String chosen = environment.getOrDefault(variable, "");
        if (chosen.startsWith("/")) {
            return Path.of(chosen, "weir");
        }
        String home = home();
        if (home.isEmpty()) {
            throw new NoHomeFolder(variable);
        }
        return Path.of(home, below, "weir");
    }

    public String home() {
        String home = environment.getOrDefault("HOME", "");
        if (home.startsWith("/")) {
            return home;
        }
        return userHome.startsWith("/") ? userHome : "";
    }
}
