package weir.host.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** The processes behind TCP connections of this machine. */
public final class Sockets {
    private static final List<String> TABLES = List.of("/proc/net/tcp", "/proc/net/tcp6");
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int INODE = 9;

    private Sockets() {}

    public static OptionalLong owner(KernelFiles files, int from, int to, Collection<Long> pids) throws IOException {
        Set<String> sockets = new HashSet<>();
        // Connections to different ports may use the same local port.
        String local = String.format(":%04X", from);
        String remote = String.format(":%04X", to);
        for (String table : TABLES) {
            if (files.has(table)) {
                for (String line : files.lines(table)) {
                    String[] words = KernelFiles.words(line);
                    if (words.length > INODE && words[LOCAL].endsWith(local) && words[REMOTE].endsWith(remote)) {
                        sockets.add("socket:[" + words[INODE] + "]");
                    }
                }
            }
        }
        return pids.stream()
                .mapToLong(pid -> pid)
                .filter(pid -> holds(files, pid, sockets))
                .findFirst();
    }

    private static boolean holds(KernelFiles files, long pid, Set<String> sockets) {
        try {
            return !KernelFiles.entries(files.at("/proc/" + pid + "/fd"), file -> sockets.contains(target(file)))
                    .isEmpty();
        } catch (IOException ended) {
            return false;
        }
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
