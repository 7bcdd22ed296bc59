package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/**
 * The resource limits of processes, enforced by control groups that also contain their descendants. Close it after the
 * processes have ended.
 *
 * @param kept the limits as the kernel reports them, by the names of its files; empty without limits
 */
public record Shield(List<Path> groups, SortedMap<String, String> kept, Runnable removal) implements AutoCloseable {
    public static final Shield NONE = new Shield(List.of(), new TreeMap<>(), () -> {});

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long PAUSE_NANOS = 5_000_000;
    private static final int REFUSED = 126;

    // The process enters the groups before it becomes the program, so that all of the program's memory and CPU time
    // count.
    private static final String ENTER = "IFS='\n'; for group in $0; do echo $$ > \"$group/cgroup.procs\" || exit "
            + REFUSED + "; done; unset IFS; exec \"$@\"";

    public Shield {
        groups = List.copyOf(groups);
        kept = Collections.unmodifiableSortedMap(new TreeMap<>(kept));
    }

    public List<String> wrapped(List<String> arguments) {
        if (groups.isEmpty()) {
            return arguments;
        }
        String folders = groups.stream().map(Path::toString).collect(Collectors.joining("\n"));
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", ENTER, folders));
        command.addAll(arguments);
        return command;
    }

    /** True if the disk limit does not cover later writes of cached pages, as in version 1. */
    public boolean unlimitedWriteback() {
        return kept.containsKey("blkio.throttle.write_bps_device");
    }

    @Override
    public void close() {
        removal.run();
    }

    /** Removes an empty control group; true if it existed. Retries, because a killed process ends slowly. */
    static boolean remove(Path group) {
        TimeLimit deadline = MachineClock.within(TIMEOUT);
        while (true) {
            try {
                Files.delete(group);
                return true;
            } catch (NoSuchFileException gone) {
                return false;
            } catch (IOException busy) {
                if (deadline.passed()) {
                    throw new UncheckedIOException("removing the control group " + group, busy);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
