package weir.probe.brokerhost;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.host.kernel.KernelFiles;
import weir.host.kernel.Mounts;
import weir.probe.Readings;

/**
 * A Kafka process of this machine: a broker, a controller, or both.
 *
 * @param arguments the JVM flags {@code -X…}, those of the environment first; other flags may contain secrets
 * @param properties the necessary properties from its file, without secrets; empty if the file is unreadable
 * @param figures {@code limit.files}, {@code files}, {@code maps}, {@code swapped.mib}, if readable
 * @param folders its readable log folders
 * @param unread a sentence for each thing that is unreadable
 */
public record KafkaProcess(
        long pid,
        List<String> arguments,
        Map<String, String> properties,
        Map<String, Double> figures,
        List<LogFolder> folders,
        List<String> unread) {
    private static final List<String> MAINS = List.of("kafka.Kafka", "io.confluent.support.metrics.SupportedKafka");
    private static final Pattern HEAP =
            Pattern.compile("-X(?:ms|mx|X:InitialHeapSize=|X:MaxHeapSize=)(\\d{1,15})([kKmMgGtT]?)");
    private static final String SHARE = "-XX:MaxRAMPercentage=";

    private static final List<String> FLAGS_BEFORE = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

    /** The stored properties, because other properties may contain secrets. */
    private static final List<String> KEPT = List.of(
            "node.id",
            "broker.id",
            "process.roles",
            "log.dirs",
            "log.dir",
            "metadata.log.dir",
            "socket.send.buffer.bytes",
            "socket.receive.buffer.bytes",
            "replica.socket.receive.buffer.bytes");

    public KafkaProcess {
        arguments = List.copyOf(arguments);
        properties = Map.copyOf(properties);
        figures = Map.copyOf(figures);
        folders = List.copyOf(folders);
        unread = List.copyOf(unread);
    }

    static Optional<KafkaProcess> read(KernelFiles files, long pid) {
        List<String> line;
        try {
            line = List.of(files.text("/proc/" + pid + "/cmdline").split("\0", -1));
        } catch (IOException ended) {
            return Optional.empty();
        }
        int main = MAINS.stream().mapToInt(line::indexOf).max().orElse(-1);
        // A string instead of a Path, because names of other processes may use another charset.
        String program = line.get(0).substring(line.get(0).lastIndexOf('/') + 1);
        return main > 0 && program.startsWith("java")
                ? Optional.of(new Look(files, pid).at(line, main))
                : Optional.empty();
    }

    public String name() {
        String number = properties.getOrDefault("node.id", properties.getOrDefault("broker.id", ""));
        String role = controllerOnly() ? "controller" : "broker";
        return number.isEmpty() ? "Kafka process " + pid : role + " " + number;
    }

    public boolean controllerOnly() {
        return properties.getOrDefault("process.roles", "").strip().equals("controller");
    }

    public Optional<Double> heap(String flag) {
        Optional<Double> bytes = Optional.empty();
        for (String argument : arguments) {
            Matcher matcher = HEAP.matcher(argument);
            if (matcher.matches() && flag(argument).equals(flag)) {
                int power = " kmgt"
                        .indexOf(
                                matcher.group(2).isEmpty()
                                        ? " "
                                        : matcher.group(2).toLowerCase(Locale.ROOT));
                bytes = Optional.of(Double.parseDouble(matcher.group(1)) * Math.pow(1024, power));
            }
        }
        return bytes;
    }

    private static String flag(String argument) {
        return argument.startsWith("-Xmx") || argument.startsWith("-XX:MaxHeapSize=")
                ? "mx"
                : argument.startsWith("-Xms") || argument.startsWith("-XX:InitialHeapSize=") ? "ms" : "";
    }

    /** The heap as a percentage of memory, from the JVM flag; empty without the flag. */
    public String share() {
        return arguments.stream()
                .filter(argument -> argument.startsWith(SHARE))
                .reduce("", (earlier, later) -> later.substring(SHARE.length()));
    }

    private static final class Look {
        private final KernelFiles files;
        private final long pid;
        private final Map<String, Double> figures = new HashMap<>();
        private final List<String> unread = new ArrayList<>();

        Look(KernelFiles files, long pid) {
            this.files = files;
            this.pid = pid;
        }

        private void attempt(String what, Readings.Look look) {
            try {
                look.at();
            } catch (IOException | IllegalArgumentException e) {
                unread.add(what + " of process " + pid + " cannot be read (" + e.getMessage() + ")");
            }
        }

        KafkaProcess at(List<String> line, int main) {
            attempt("the limits", this::limits);
            attempt(
                    "the open files",
                    () -> figures.put("files", (double) KernelFiles.entries(files.at(path("/fd")), file -> true)
                            .size()));
            attempt(
                    "the memory maps",
                    () -> figures.put(
                            "maps", (double) files.lines(path("/maps")).size()));
            attempt("the swapped memory", () -> {
                Long kibibytes = files.table(path("/status")).get("VmSwap");
                if (kibibytes != null) {
                    figures.put("swapped.mib", kibibytes / 1024.0);
                }
            });
            Map<String, String> properties = new HashMap<>();
            List<LogFolder> folders = new ArrayList<>();
            if (apart()) {
                unread.add("process " + pid + " is in a container with its own file system; run 'weir doctor --brokers'"
                        + " in this container to check the properties and log folders");
            } else {
                attempt("the properties", () -> properties.putAll(properties(line.subList(main + 1, line.size()))));
                for (String folder : logFolders(properties)) {
                    attempt("the log folder " + folder, () -> folders.add(LogFolder.read(files, folder)));
                }
            }
            List<String> flags = new ArrayList<>();
            attempt("the environment", () -> flags.addAll(environment()));
            flags.addAll(line.subList(1, main));
            flags.removeIf(argument -> !argument.startsWith("-X"));
            return new KafkaProcess(pid, flags, properties, figures, folders, unread);
        }

        private String path(String below) {
            return "/proc/" + pid + below;
        }

        private List<String> environment() throws IOException {
            List<String> all = List.of(files.text(path("/environ")).split("\0", -1));
            List<String> flags = new ArrayList<>();
            for (String name : FLAGS_BEFORE) {
                all.stream()
                        .filter(variable -> variable.startsWith(name + "="))
                        .flatMap(variable -> Arrays.stream(KernelFiles.words(variable.substring(name.length() + 1))))
                        .forEach(flags::add);
            }
            return flags;
        }

        private void limits() throws IOException {
            for (String line : files.lines(path("/limits"))) {
                if (line.startsWith("Max open files")) {
                    String soft = KernelFiles.words(line.substring("Max open files".length()))[0];
                    figures.put("limit.files", soft.equals("unlimited") ? Double.MAX_VALUE : KernelFiles.number(soft));
                }
            }
        }

        /** True if the process has its own mount namespace; false if that is unknown. */
        private boolean apart() {
            try {
                return !Files.readSymbolicLink(files.at(path("/ns/mnt")))
                        .equals(Files.readSymbolicLink(files.at("/proc/self/ns/mnt")));
            } catch (IOException | UnsupportedOperationException untold) {
                return false;
            }
        }

        /** The properties of the file with overrides: {@code kafka.Kafka server.properties --override name=value}. */
        private Map<String, String> properties(List<String> arguments) throws IOException {
            Properties all = new Properties();
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                if (argument.equals("--override") && i + 1 < arguments.size()) {
                    String[] pair = arguments.get(++i).split("=", 2);
                    all.setProperty(pair[0], pair.length > 1 ? pair[1] : "");
                } else if (argument.endsWith(".properties")) {
                    all.load(new StringReader(files.text(absolute(argument))));
                }
            }
            Map<String, String> kept = new HashMap<>();
            KEPT.stream()
                    .filter(all::containsKey)
                    .forEach(name -> kept.put(name, all.getProperty(name).strip()));
            return kept;
        }

        private String absolute(String path) throws IOException {
            return path.startsWith("/")
                    ? path
                    : Files.readSymbolicLink(files.at(path("/cwd")))
                            .resolve(path)
                            .toString();
        }

        private static List<String> logFolders(Map<String, String> properties) {
            String several = properties.getOrDefault("log.dirs", properties.getOrDefault("log.dir", ""));
            return Arrays.stream(several.split(",", -1))
                    .map(String::strip)
                    .filter(folder -> folder.startsWith("/"))
                    .distinct()
                    .toList();
        }
    }

    /**
     * A folder with partitions of a broker, and its file system.
     *
     * @param options the options of the mount and of the file system
     */
    public record LogFolder(
            String path,
            String type,
            List<String> options,
            long partitions,
            long segments,
            long bytes,
            long usableBytes) {
        public LogFolder {
            options = List.copyOf(options);
        }

        /** @throws IOException if the broker's folder is missing, or Weir may not read it */
        static LogFolder read(KernelFiles files, String path) throws IOException {
            Path folder = files.at(path).toRealPath();
            Mounts.Mount mount = Mounts.of(files)
                    .holding(Path.of("/").resolve(files.root().toRealPath().relativize(folder)));
            List<Path> partitions = KernelFiles.entries(folder, LogFolder::partition);
            long segments = 0;
            for (Path partition : partitions) {
                segments += segments(partition);
            }
            FileStore store = Files.getFileStore(folder);
            return new LogFolder(
                    path,
                    mount.type(),
                    Stream.concat(mount.here().stream(), mount.options().stream())
                            .distinct()
                            .toList(),
                    partitions.size(),
                    segments,
                    store.getTotalSpace(),
                    store.getUsableSpace());
        }

        private static boolean partition(Path folder) {
            return String.valueOf(folder.getFileName()).matches(".+-\\d+") && Files.isDirectory(folder);
        }

        private static long segments(Path partition) throws IOException {
            try {
                return KernelFiles.entries(partition, file -> file.toString().endsWith(".log"))
                        .size();
            } catch (NoSuchFileException | NotDirectoryException deleted) {
                // A topic may be deleted meanwhile.
                return 0;
            }
        }
    }
}
