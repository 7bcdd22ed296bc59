package weir.probe.brokerhost;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.host.kernel.KernelFiles;
import weir.probe.MachineFacts;

/**
 * A machine that runs brokers.
 *
 * @param facts from {@link MachineFacts}, and kernel settings by name, such as {@code vm.max_map_count}; unreadable
 *     settings are missing
 */
public record BrokerHost(Map<String, String> facts, List<KafkaProcess> processes) {
    public static final String CLOCK = "clock.kept";

    public static final String NODES = "memory.nodes";

    private static final List<String> SETTINGS = List.of(
            "vm.max_map_count",
            "vm.dirty_bytes",
            "vm.dirty_background_bytes",
            "vm.zone_reclaim_mode",
            "net.core.wmem_max",
            "net.core.rmem_max");
    private static final Set<String> CLOCK_KEEPERS =
            Set.of("chronyd", "ntpd", "systemd-timesyn", "openntpd", "ptp4l", "phc2sys");

    public BrokerHost {
        facts = Map.copyOf(facts);
        processes = List.copyOf(processes);
    }

    public static BrokerHost here() throws IOException {
        return of(KernelFiles.LIVE);
    }

    static BrokerHost of(KernelFiles files) throws IOException {
        SortedMap<String, String> facts = new TreeMap<>(MachineFacts.of(files, Path.of("/")));
        for (String setting : SETTINGS) {
            put(files, facts, setting, "/proc/sys/" + setting.replace('.', '/'));
        }
        nodes(files, facts);
        List<Long> all = numbers(files);
        all.stream()
                .map(pid -> command(files, pid))
                .filter(CLOCK_KEEPERS::contains)
                .findFirst()
                .ifPresent(keeper -> facts.put(CLOCK, keeper));
        List<KafkaProcess> processes = all.stream()
                .flatMap(pid -> KafkaProcess.read(files, pid).stream())
                .sorted(Comparator.comparing(KafkaProcess::name).thenComparing(KafkaProcess::pid))
                .toList();
        return new BrokerHost(facts, processes);
    }

    private static void put(KernelFiles files, Map<String, String> facts, String name, String path) {
        try {
            facts.put(name, files.text(path).strip());
        } catch (IOException untold) {
            // The check reports a missing setting as unknown.
        }
    }

    private static void nodes(KernelFiles files, Map<String, String> facts) throws IOException {
        String folder = "/sys/devices/system/node";
        if (files.has(folder)) {
            List<Path> nodes =
                    KernelFiles.entries(files.at(folder), node -> name(node).matches("node[0-9].*"));
            facts.put(NODES, String.valueOf(nodes.size()));
        }
    }

    private static List<Long> numbers(KernelFiles files) throws IOException {
        return KernelFiles.entries(files.at("/proc"), process -> name(process).matches("\\d{1,18}")).stream()
                .map(process -> Long.parseLong(name(process)))
                .sorted()
                .toList();
    }

    private static String name(Path entry) {
        return String.valueOf(entry.getFileName());
    }

    private static String command(KernelFiles files, long pid) {
        try {
            return files.text("/proc/" + pid + "/comm").strip();
        } catch (IOException ended) {
            return "";
        }
    }
}
