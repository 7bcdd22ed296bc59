package weir.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A process id with the start time of the process. A later process with the same id has another start time.
 *
 * @param started only for comparison; empty if the process does not exist
 */
public record ProcessId(long pid, String started) {
    /** The process with this number; its start is empty if there is none. */
    public static ProcessId of(long pid) {
        return new ProcessId(pid, started(pid));
    }

    public boolean alive() {
        return !started.isEmpty() && started.equals(started(pid));
    }

    /**
     * Kills the process, waits for its end, and deletes the files that only the process itself would delete. False if
     * the process had already ended.
     */
    public boolean kill() {
        if (!alive()) {
            deleteAttachFiles(pid);
            return false;
        }
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        // ProcessHandle would wait until the process is reaped, which may never happen in a container.
        while (alive()) {
            LockSupport.parkNanos(2_000_000);
        }
        deleteAttachFiles(pid);
        return true;
    }

    // The JDK derives the start time from the wall clock, so a clock step moves it. The kernel's ticks since a named
    // boot do not change.
    private static String started(long pid) {
        Path stat = Path.of("/proc/" + pid + "/stat");
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            return ProcessHandle.of(pid)
                    .flatMap(handle -> handle.info().startInstant())
                    .map(Object::toString)
                    .orElse("");
        }
        String line;
        String boot;
        try {
            line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException gone) {
            return "";
        }
        // The second field, the name, may contain spaces and brackets. The fields after its last bracket do not.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", 21);
        boolean zombie = fields[0].equals("Z") || fields[0].equals("X");
        return zombie ? "" : boot + ":" + fields[19];
    }

    /**
     * Deletes the files through which tools attach to a JVM, unless the process or a later one with this id runs.
     * HotSpot creates them in /tmp, even if java.io.tmpdir is another folder. A killed JVM does not delete them.
     */
    static void deleteAttachFiles(long pid) {
        if (!started(pid).isEmpty()) {
            return;
        }
        for (String name : new String[] {".java_pid", ".attach_pid"}) {
            try {
                Files.deleteIfExists(Path.of("/tmp", name + pid));
            } catch (IOException notOurs) {
                // The file belongs to an earlier process of this number and of another user.
            }
        }
    }
}
