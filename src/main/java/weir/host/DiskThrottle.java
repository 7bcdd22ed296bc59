package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weir.host.kernel.ControlGroup;
import weir.host.kernel.KernelFiles;
import weir.io.Io;
import weir.plan.ByteSize;
import weir.plan.Limits;

/**
 * A limit of a device's throughput in each direction, until the limit is closed. The kernel writes cached pages later.
 * Version 2 of control groups charges the process for these writes, and version 1 charges the topmost group. So with
 * version 1, the topmost group gets the same limit.
 */
public final class DiskThrottle implements AutoCloseable {
    private static final ByteSize UNLIMITED = new ByteSize(1L << 50);

    private final Journal journal;
    private final List<KernelSetting> before;

    private DiskThrottle(Journal journal, List<KernelSetting> before) {
        this.journal = journal;
        this.before = before;
    }

    public static Limits prepared(Limits asked) {
        return Io.attempt("reading the control group of this process", () -> {
            long pid = ProcessHandle.current().pid();
            boolean own = asked.ioPerSecond().bytes() > 0
                    || ControlGroup.of(KernelFiles.LIVE, pid, "blkio").version() == 1;
            return own ? asked : new Limits(asked.cpu(), asked.memory(), UNLIMITED, asked.cpus());
        });
    }

    static String missing(KernelFiles files, long pid) {
        try {
            ControlGroup group = ControlGroup.of(files, pid, "blkio");
            boolean first = group.version() == 1;
            Path needed = files.at(first ? group.top() + "/blkio.throttle.write_bps_device" : group.folder());
            if (!Files.isWritable(needed)) {
                return "disk.io needs to write to " + needed + ", but this user has no right to; run as root"
                        + (first
                                ? ""
                                : ", or in a unit with a delegated group: systemd-run --user --scope -p Delegate=yes weir run …");
            }
            return first || group.has("io")
                    ? ""
                    : "disk.io: the control group " + group.folder() + " has no controller 'io'; remove io";
        } catch (IOException e) {
            return "disk.io: " + e.getMessage() + "; remove io, or use a machine whose kernel supports this limit";
        }
    }

    /** @param device the number of the device, such as "7:0" */
    static DiskThrottle open(Journal journal, KernelFiles files, String device, long bytesPerSecond, long pid) {
        List<KernelSetting> before = new ArrayList<>();
        DiskThrottle throttle = new DiskThrottle(journal, before);
        try {
            ControlGroup group = ControlGroup.of(files, pid, "blkio");
            for (KernelSetting limit : limits(group, device, bytesPerSecond)) {
                KernelSetting was = now(limit.file(), device);
                journal.add(Journal.entry(was));
                before.add(was);
                limit.write();
            }
            return throttle;
        } catch (IOException e) {
            throttle.close();
            throw new UncheckedIOException("slowing down device " + device, e);
        } catch (RuntimeException e) {
            throttle.close();
            throw e;
        }
    }

    private static List<KernelSetting> limits(ControlGroup group, String device, long bytesPerSecond) {
        Set<String> folders = new LinkedHashSet<>();
        if (group.version() == 1) {
            folders.add(group.top());
        }
        folders.add(group.folder());
        List<KernelSetting> limits = new ArrayList<>();
        for (String folder : folders) {
            group.throttled(device, bytesPerSecond)
                    .forEach((file, line) ->
                            limits.add(new KernelSetting(group.files().at(folder + "/" + file), line)));
        }
        return limits;
    }

    private static KernelSetting now(Path file, String device) throws IOException {
        boolean second = file.endsWith("io.max");
        for (String line : Files.readAllLines(file)) {
            String[] words = KernelFiles.words(line);
            if (words[0].equals(device)) {
                // In version 2, the line also contains limits of operations, which stay unchanged.
                return new KernelSetting(file, second ? words[0] + " " + words[1] + " " + words[2] : line.strip());
            }
        }
        return new KernelSetting(file, device + (second ? " rbps=max wbps=max" : " 0"));
    }

    @Override
    public void close() {
        for (int i = before.size() - 1; i >= 0; i--) {
            before.get(i).write();
            journal.remove(Journal.entry(before.get(i)));
        }
        before.clear();
    }

    /** A line to write to a kernel file of settings. */
    public record KernelSetting(Path file, String value) {
        private static final String NO_DEVICE = "No such device";

        /** Writes the line. False if the file, or the device in the line, is missing. */
        boolean write() {
            try {
                Files.writeString(file, value);
                return true;
            } catch (NoSuchFileException gone) {
                return false;
            } catch (IOException e) {
                if (String.valueOf(e.getMessage()).contains(NO_DEVICE)) {
                    return false;
                }
                throw new UncheckedIOException("writing '" + value + "' to " + file, e);
            }
        }
    }
}
