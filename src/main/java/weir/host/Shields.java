package weir.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import weir.host.kernel.ControlGroup;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts.BlockDevices;
import weir.plan.Limits;

/**
 * The creator of {@link Shield}s, which are control groups below this process's control group. In version 2 of control
 * groups, a group that delegates controllers must contain no process. So this process moves to a child group.
 */
public record Shields(KernelFiles files, long pid) {
    private static final int PERIOD_MICROS = 100_000;
    private static final long KIB = 1024;
    private static final int FIRST_TIMES = 10;
    private static final int SHARES = 1024;
    private static final int WEIGHT = 100;
    private static final String HAND_DOWN = "cgroup.subtree_control";

    public static Shields ofThisMachine() {
        return new Shields(KernelFiles.LIVE, ProcessHandle.current().pid());
    }

    /** The CPU priority of processes over other processes of the machine. */
    public enum CpuShare {
        /** The kernel's default: equal weight for all threads and control groups. */
        EQUAL,
        /** Ten times the weight of others, if this machine permits it. */
        FIRST
    }

    private enum Controller {
        CPU("cpu", "cpu", "cpu.cfs_quota_us"),
        MEMORY("memory", "memory", "memory.limit_in_bytes"),
        IO("blkio", "io", "blkio.throttle.read_bps_device"),
        CPUS("cpuset", "cpuset", "cpuset.cpus");

        private final String first;
        private final String second;
        private final String file;

        Controller(String first, String second, String file) {
            this.first = first;
            this.second = second;
            this.file = file;
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean asked(Limits limits) {
            return switch (this) {
                case CPU -> limits.cpu() > 0;
                case MEMORY -> limits.memory().bytes() > 0;
                case IO -> limits.ioPerSecond().bytes() > 0;
                case CPUS -> !limits.cpus().isEmpty();
            };
        }
    }

    /**
     * The reasons why this machine cannot enforce such limits, each with a remedy.
     *
     * @param data the folder that the processes write to, without links in its path
     */
    public List<String> missing(Limits limits, Path data) {
        List<String> missing = new ArrayList<>();
        for (Controller controller : Controller.values()) {
            if (controller.asked(limits)) {
                try {
                    Path parent = files.at(parent(controller).folder());
                    if (!Files.isWritable(parent)) {
                        missing.add("within." + controller.key() + " needs a control group, but this user may not"
                                + " write " + parent + ". Run as root, or in a unit with a delegated group:"
                                + " systemd-run --user --scope -p Delegate=yes weir run …");
                    }
                    tooMuch(controller, limits, data, missing);
                } catch (IOException e) {
                    missing.add("within." + controller.key() + ": " + e.getMessage()
                            + "; remove this limit, or use a machine whose kernel supports it");
                }
            }
        }
        return missing;
    }

    private void tooMuch(Controller controller, Limits limits, Path data, List<String> missing) throws IOException {
        switch (controller) {
            case CPU -> {
                int here = allowed().size();
                if (limits.cpu() > here) {
                    missing.add(String.format(
                            Locale.ROOT,
                            "within.cpu: must be at most the %d cores of this machine, found '%s'",
                            here,
                            plain(limits.cpu())));
                }
            }
            case MEMORY -> {
                long total = files.table("/proc/meminfo").getOrDefault("MemTotal", 0L) * KIB;
                if (limits.memory().bytes() > total) {
                    missing.add("within.memory: must be at most the " + total / KIB / KIB + " MiB of this machine,"
                            + " found " + limits.memory().bytes() / KIB / KIB + " MiB");
                }
            }
            case IO -> {
                String unused = BlockDevices.disk(files, data);
            }
            case CPUS -> {
                SortedSet<Integer> here = allowed();
                limits.cpus().stream()
                        .filter(cpu -> !here.contains(cpu))
                        .forEach(cpu -> missing.add(
                                "within.cpus: this machine has no CPU " + cpu + "; the allowed CPUs are " + here));
            }
        }
    }

    private SortedSet<Integer> allowed() throws IOException {
        return numbers(files.field("/proc/" + pid + "/status", "Cpus_allowed_list"));
    }

    /** Parses a list of numbers: "0-2,5" is 0, 1, 2 and 5. */
    private static SortedSet<Integer> numbers(String list) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", 2);
            for (int n = Integer.parseInt(ends[0]); n <= Integer.parseInt(ends[ends.length - 1]); n++) {
                numbers.add(n);
            }
        }
        return numbers;
    }

    /**
     * Creates a shield. The journal records its groups before they exist.
     *
     * @param name a part of the names of the groups
     * @param data the folder that the processes write to, without links in its path
     */
    public Shield open(Journal journal, String name, Limits limits, CpuShare share, Path data) {
        if (share == CpuShare.FIRST) {
            try {
                return open(journal, name, limits, data, true);
            } catch (UncheckedIOException notOurs) {
                // The machine may permit the limits without this setting.
                return open(journal, name, limits, CpuShare.EQUAL, data);
            }
        }
        return limits.equals(Limits.NONE) ? Shield.NONE : open(journal, name, limits, data, false);
    }

    private Shield open(Journal journal, String name, Limits limits, Path data, boolean first) {
        Set<Controller> asked = EnumSet.noneOf(Controller.class);
        for (Controller controller : Controller.values()) {
            if (controller.asked(limits) || (first && controller == Controller.CPU)) {
                asked.add(controller);
            }
        }
        List<Path> groups = new ArrayList<>();
        SortedMap<String, String> kept = new TreeMap<>();
        String unique = journal.unique("weir-" + name);
        try {
            for (Controller controller : asked) {
                ControlGroup parent = parent(controller);
                Path group = files.at(parent.folder()).resolve(unique);
                if (!groups.contains(group)) {
                    if (parent.version() == 2) {
                        delegate(parent, asked);
                    }
                    journal.add(Journal.entry(Journal.GROUP, group));
                    groups.add(group);
                    Files.createDirectory(group);
                }
                SortedMap<String, String> values = values(controller, parent, limits, data);
                if (first && controller == Controller.CPU) {
                    boolean old = parent.version() == 1;
                    values.put(
                            old ? "cpu.shares" : "cpu.weight", Integer.toString(FIRST_TIMES * (old ? SHARES : WEIGHT)));
                }
                for (Map.Entry<String, String> value : values.entrySet()) {
                    Path file = group.resolve(value.getKey());
                    Files.writeString(file, value.getValue());
                    kept.put(value.getKey(), Files.readString(file).strip());
                }
            }
            return new Shield(groups, kept, () -> remove(journal, groups));
        } catch (IOException e) {
            remove(journal, groups);
            throw new UncheckedIOException("limiting " + name + " (" + e + ")", e);
        }
    }

    public static void remove(Journal journal, List<Path> groups) {
        for (int i = groups.size() - 1; i >= 0; i--) {
            Shield.remove(groups.get(i));
            journal.remove(Journal.entry(Journal.GROUP, groups.get(i)));
        }
    }

    private SortedMap<String, String> values(Controller controller, ControlGroup parent, Limits limits, Path data)
            throws IOException {
        boolean first = parent.version() == 1;
        SortedMap<String, String> values = new TreeMap<>();
        switch (controller) {
            case CPU -> {
                if (limits.cpu() == 0) {
                    return values;
                }
                String quota = Long.toString(Math.round(limits.cpu() * PERIOD_MICROS));
                if (first) {
                    values.put("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
                    values.put("cpu.cfs_quota_us", quota);
                } else {
                    values.put("cpu.max", quota + " " + PERIOD_MICROS);
                }
            }
            case MEMORY ->
                values.put(
                        first ? "memory.limit_in_bytes" : "memory.max",
                        Long.toString(limits.memory().bytes()));
            case IO -> {
                String disk = BlockDevices.disk(files, data);
                values.putAll(parent.throttled(disk, limits.ioPerSecond().bytes()));
            }
            case CPUS -> {
                values.put(
                        "cpuset.cpus",
                        limits.cpus().stream().map(String::valueOf).collect(Collectors.joining(",")));
                if (first) {
                    // A new group of version 1 has no memory nodes, and refuses processes until it has some.
                    values.put(
                            "cpuset.mems",
                            files.text(parent.file("cpuset.mems")).strip());
                }
            }
        }
        return values;
    }

    private ControlGroup parent(Controller controller) throws IOException {
        // Without the controller in version 1, this group is of version 2.
        ControlGroup own = ControlGroup.of(files, pid, controller.first);
        if (own.version() == 2 && own.folder().endsWith(ownName())) {
            own = new ControlGroup(
                    own.files(), 2, own.folder().substring(0, own.folder().lastIndexOf('/')), own.top());
        }
        if (own.version() == 1
                && !files.has(own.file(controller.file))
                && !own.folder().equals(own.top())) {
            throw new IOException("the control group " + own.folder() + " has no " + controller.file);
        }
        if (own.version() == 2 && !own.has(controller.second)) {
            throw new IOException(
                    "the control group " + own.folder() + " has no controller '" + controller.second + "'");
        }
        return own;
    }

    private String ownName() {
        return "/weir-own-" + pid;
    }

    private void delegate(ControlGroup parent, Set<Controller> asked) throws IOException {
        String wanted =
                asked.stream().map(controller -> "+" + controller.second).collect(Collectors.joining(" "));
        Path handDown = files.at(parent.file(HAND_DOWN));
        try {
            Files.writeString(handDown, wanted);
        } catch (IOException occupied) {
            Path own = files.at(parent.folder() + ownName());
            Files.createDirectories(own);
            Files.writeString(own.resolve("cgroup.procs"), Long.toString(pid));
            try {
                Files.writeString(handDown, wanted);
            } catch (IOException others) {
                Files.writeString(files.at(parent.file("cgroup.procs")), Long.toString(pid));
                Shield.remove(own);
                throw others;
            }
        }
    }

    public static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
