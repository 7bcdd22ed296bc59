package weir.probe;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.host.kernel.ControlGroup;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts;
import weir.io.Io;

/** The facts about the machine that affect numbers, besides the readings. Unknown facts have no entry. */
public final class MachineFacts {
    public static final String NODE = "WEIR_NODE";

    private final KernelFiles files;
    private final SortedMap<String, String> facts = new TreeMap<>();

    private MachineFacts(KernelFiles files) {
        this.files = files;
    }

    public static SortedMap<String, String> of(Path folder) throws IOException {
        return of(KernelFiles.LIVE, folder.toRealPath());
    }

    /** The name of this machine or, in a pod, of its node; empty if unknown. */
    public static String name() {
        String node = System.getenv(NODE);
        if (node != null && !node.isEmpty()) {
            return node;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "";
        }
    }

    public static long memoryBytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** The facts of the machine whose kernel provides these files. {@code folder} is a path without links. */
    public static SortedMap<String, String> of(KernelFiles files, Path folder) {
        MachineFacts machine = new MachineFacts(files);
        machine.cpu();
        machine.memory();
        machine.limits();
        machine.software();
        machine.fact("filesystem", () -> Mounts.of(files).holding(folder).type());
        return Collections.unmodifiableSortedMap(machine.facts);
    }

    private void cpu() {
        fact("cpu.cores", () -> String.valueOf(cpuinfo("processor").size()));
        fact("cpu.model", () -> cpuinfo("model name").get(0));
        fact("cpu.virtualised", () -> String.valueOf(cpuinfo("flags").get(0).contains("hypervisor")));
        file("cpu.governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        fact("cpu.turbo", this::turbo);
        file("cpu.smt", "/sys/devices/system/cpu/smt/active");
        file("clock.source", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
        file("machine.vendor", "/sys/class/dmi/id/sys_vendor");
        file("machine.product", "/sys/class/dmi/id/product_name");
        file("hypervisor", "/sys/hypervisor/type");
    }

    private void memory() {
        fact("memory.mib", () -> mebibytes("MemTotal"));
        fact("swap.mib", () -> mebibytes("SwapTotal"));
        file("memory.swappiness", "/proc/sys/vm/swappiness");
        file("memory.dirty.ratio", "/proc/sys/vm/dirty_ratio");
        file("memory.dirty.background.ratio", "/proc/sys/vm/dirty_background_ratio");
        fact("memory.huge.pages", () -> chosen(files.text("/sys/kernel/mm/transparent_hugepage/enabled")));
    }

    private void limits() {
        long pid = ProcessHandle.current().pid();
        fact(
                "cgroup.version",
                () -> String.valueOf(ControlGroup.of(files, pid, "memory").version()));
        fact(
                "cgroup.cpu.limit.cores",
                () -> finite(ControlGroup.of(files, pid, "cpu").cpuLimit()));
        fact(
                "cgroup.memory.limit.mib",
                () -> finite(ControlGroup.of(files, pid, "memory").memoryLimit() / KernelFiles.MIB));
    }

    private void software() {
        file("kernel", "/proc/sys/kernel/osrelease");
        fact("os", this::osName);
        for (String property : List.of("java.vm.name", "java.vm.version", "java.vendor", "os.arch")) {
            fact(property, () -> System.getProperty(property, ""));
        }
    }

    private void file(String name, String path) {
        fact(name, () -> files.text(path));
    }

    private void fact(String name, Io.Reading<String> fact) {
        try {
            String text = fact.read().strip();
            if (!text.isEmpty()) {
                facts.put(name, text);
            }
        } catch (IOException | IllegalArgumentException e) {
            // Weir can measure a machine without this fact.
        }
    }

    private List<String> cpuinfo(String name) throws IOException {
        List<String> values = files.lines("/proc/cpuinfo").stream()
                .filter(line -> line.matches(name + "\\s*:.*"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
        if (values.isEmpty()) {
            throw new IOException("/proc/cpuinfo has no '" + name + "'");
        }
        return values;
    }

    /** The state of the CPU's turbo mode. Two kernel drivers have a switch for it, with opposite meanings. */
    private String turbo() throws IOException {
        String never = "/sys/devices/system/cpu/intel_pstate/no_turbo";
        return files.has(never)
                ? files.text(never).strip().equals("1") ? "off" : "on"
                : files.text("/sys/devices/system/cpu/cpufreq/boost").strip().equals("0") ? "off" : "on";
    }

    private String mebibytes(String name) throws IOException {
        Long kibibytes = files.table("/proc/meminfo").get(name);
        if (kibibytes == null) {
            throw new IOException("/proc/meminfo has no '" + name + "'");
        }
        return String.valueOf(kibibytes / 1024);
    }

    private String osName() throws IOException {
        String key = "PRETTY_NAME=";
        return files.lines("/etc/os-release").stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).replace("\"", ""))
                .findFirst()
                .orElse("");
    }

    private static String chosen(String choices) {
        return choices.substring(choices.indexOf('[') + 1, choices.indexOf(']'));
    }

    private static String finite(double limit) {
        return Double.isFinite(limit) ? String.format(Locale.ROOT, "%.2f", limit) : "";
    }
}
