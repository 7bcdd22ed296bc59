package weir.feature.stress;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import weir.host.Child;
import weir.host.Command;
import weir.host.FreeDiskSpace;
import weir.host.Host;
import weir.host.Journal;
import weir.host.MachineResources;
import weir.host.Shield;
import weir.host.Shields;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;
import weir.run.lab.Lab;

/**
 * A load on the memory, disk or CPU of a machine, by stress-ng until {@code close}. If memory runs out, the kernel
 * kills the processes of stress-ng first. Their files are on the brokers' disk until {@code close} deletes the files.
 */
public final class Stressor implements Lab.ProcessActivity {
    private static final String PROGRAM = "stress-ng";
    /** The time after its planned end at which stress-ng ends by itself, if Weir has died. */
    private static final Duration BEYOND = Duration.ofMinutes(2);

    private final Host host;
    private final Path files;
    private final Shield shield;
    private final Child first;

    /**
     * The bytes and cores of a stress on a machine: at most the free memory without the reserve. The number of threads
     * is for each of memory and disk, or for computing if both are zero.
     */
    public record Demand(long memory, long disk, int threads, Limits within) {
        public long heldMemory() {
            long limit = within.memory().bytes();
            return limit == 0 ? memory : Math.min(memory, limit);
        }

        public double cores(int processors) {
            double most = within.cpu() > 0 ? within.cpu() : processors;
            return memory > 0 || disk > 0 ? 0 : Math.min(threads, most);
        }
    }

    private Stressor(Host host, Path files, Shield shield, Child first) {
        this.host = host;
        this.files = files;
        this.shield = shield;
        this.first = first;
    }

    /**
     * Returns the reasons why a machine cannot run this stress, each with a remedy.
     *
     * @param data folder of the brokers on this machine; an empty path if there are none
     */
    public static List<String> missing(StressSpec asked, MachineResources machine, Path data) {
        List<String> missing = new ArrayList<>();
        if (machine.program(PROGRAM).toString().isEmpty()) {
            missing.add(
                    "stress: program '" + PROGRAM + "' is not on the PATH; install it, as with apt install " + PROGRAM);
        }
        Demand demand = demand(asked, machine.freeMemory());
        if (asked.memory() instanceof DisturbanceSpec.Amount.Bytes bytes
                && bytes.size().bytes() > demand.memory()) {
            missing.add("stress.memory: must be at most " + size(demand.memory())
                    + ", the free memory minus a stress.reserve of "
                    + size(asked.reserve().bytes()) + ", found '"
                    + size(bytes.size().bytes())
                    + "'; write less, or a smaller stress.reserve");
        }
        // Another check covers the disk use of the brokers.
        FreeDiskSpace room = machine.disk(data);
        long free = Math.max(0, room.usable()) / 2;
        if (demand.disk() > free) {
            missing.add("stress.disk: must be at most " + size(free) + ", half of the free space at " + room.folder()
                    + ", found '" + size(demand.disk()) + "'; write less, or set cluster.data to a larger disk");
        }
        missing.addAll(machine.missing(asked.within(), data));
        return missing;
    }

    public static Demand demand(StressSpec asked, long free) {
        long wanted = asked.memory() instanceof DisturbanceSpec.Amount.Bytes bytes
                ? bytes.size().bytes()
                : (long) (((DisturbanceSpec.Amount.OfFree) asked.memory())
                                .share()
                                .share()
                        * free);
        long most = Math.max(0, free - asked.reserve().bytes());
        return new Demand(Math.min(wanted, most), asked.disk().bytes(), asked.threads(), asked.within());
    }

    public static String words(StressSpec asked) {
        boolean one = asked.threads() == 1;
        String each = one ? "1 thread " : asked.threads() + " threads ";
        String writes = one ? "writes " : "write ";
        List<String> does = new ArrayList<>();
        if (asked.memory() instanceof DisturbanceSpec.Amount.OfFree free) {
            does.add(each + writes + "to " + free.share().percent() + " of the free memory");
        } else if (asked.memory() instanceof DisturbanceSpec.Amount.Bytes bytes
                && bytes.size().bytes() > 0) {
            does.add(each + writes + "to " + size(bytes.size().bytes()) + " of memory");
        }
        if (asked.disk().bytes() > 0) {
            does.add(each + writes + size(asked.disk().bytes()) + " to the disk again and again");
        }
        if (does.isEmpty()) {
            does.add(each + (one ? "computes" : "compute"));
        }
        return String.join(", ", does) + limits(asked.within());
    }

    private static String limits(Limits within) {
        List<String> limits = new ArrayList<>();
        if (within.cpu() > 0) {
            limits.add(Shields.plain(within.cpu()) + " cores");
        }
        if (within.memory().bytes() > 0) {
            limits.add(size(within.memory().bytes()) + " of memory");
        }
        if (within.ioPerSecond().bytes() > 0) {
            limits.add(size(within.ioPerSecond().bytes()) + "/s of disk traffic");
        }
        if (!within.cpus().isEmpty()) {
            limits.add("CPUs " + within.cpus());
        }
        return limits.isEmpty() ? "" : ", limited to " + String.join(", ", limits);
    }

    /**
     * Starts stress-ng and returns once it runs.
     *
     * @param length duration; zero if only {@code close} ends it
     * @param data folder of the brokers on this machine; an empty path if there are none
     */
    public static Stressor start(Host host, String name, Demand demand, Duration length, Path data, Path log) {
        Path files = host.newFolder(data, "stress");
        Shield shield = null;
        try {
            shield = host.shield(name, demand.within(), files);
            Child child =
                    host.start(new Command(name, command(demand, length, files), log, Command.Output.LOGGED, shield));
            return new Stressor(host, files, shield, child);
        } catch (RuntimeException e) {
            if (shield != null) {
                shield.close();
            }
            clear(host, files);
            throw e;
        }
    }

    /** Contrary to its manual, stress-ng divides a size among its workers. */
    static List<String> command(Demand demand, Duration length, Path files) {
        String threads = Integer.toString(demand.threads());
        List<String> command = new ArrayList<>(List.of(PROGRAM, "--temp-path", files.toString()));
        if (demand.memory() > 0) {
            // stress-ng allocates, keeps and rewrites the memory, so that the kernel cannot reclaim it.
            command.addAll(List.of("--vm", threads, "--vm-bytes", demand.memory() + "b"));
            command.addAll(List.of("--vm-keep", "--vm-populate", "--vm-method", "write64"));
        }
        if (demand.disk() > 0) {
            // Writes go to the disk at once and count for the writer, so that disk limits apply to it.
            command.addAll(List.of("--hdd", threads, "--hdd-bytes", demand.disk() + "b"));
            command.addAll(List.of("--hdd-write-size", "1m", "--hdd-opts", "wr-seq,fdatasync"));
        }
        if (demand.memory() == 0 && demand.disk() == 0) {
            command.addAll(List.of("--cpu", threads));
        }
        if (!length.isZero()) {
            command.addAll(List.of("--timeout", length.plus(BEYOND).toSeconds() + "s"));
        }
        return command;
    }

    @Override
    public long pid() {
        return first.pid();
    }

    /**
     * Ends all processes and deletes their files.
     *
     * @throws IllegalStateException with the last lines of output if stress-ng had already ended
     */
    @Override
    public void close() {
        boolean ran = first.alive();
        first.endTree();
        shield.close();
        clear(host, files);
        if (!ran) {
            throw new IllegalStateException(PROGRAM + " "
                    + Child.ending(first.exit().join()) + " too early: " + String.join(" / ", first.lastLines(3)));
        }
    }

    private static void clear(Host host, Path files) {
        try {
            host.delete(files);
        } catch (UncheckedIOException e) {
            throw new IllegalStateException(Journal.undeleted(files, e), e);
        }
    }

    private static String size(long bytes) {
        return bytes < 1L << 30
                ? String.format(Locale.ROOT, "%.0f MiB", bytes / (double) (1 << 20))
                : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
    }

    /**
     * The settings of processes that use memory, CPU and disk.
     *
     * @param reserve part of the free memory that stays free, even if {@code memory} requests more
     * @param threads number of threads for each of memory and disk; without memory and disk, number of computing threads
     * @param disk bytes that all threads together write repeatedly
     */
    public record StressSpec(
            Duration at,
            Duration length,
            Amount memory,
            ByteSize reserve,
            int threads,
            ByteSize disk,
            Limits within,
            PlacedSpec placed)
            implements DisturbanceSpec.BesideBrokers {
        @Override
        public String processes() {
            return "stress";
        }
    }
}
