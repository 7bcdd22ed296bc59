package weir.cluster.start;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import weir.cluster.Broker;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Progress;
import weir.host.Children;
import weir.host.Journal;
import weir.host.OwnedFolders;
import weir.host.ProcessId;
import weir.io.Io;
import weir.plan.ClusterSpec;

/**
 * A cluster that outlives the command that started it, until the user stops it by its name.
 *
 * @param client a file with all client properties
 * @param companions other processes, such as a metrics server
 */
public record NamedCluster(
        String name,
        String version,
        String bootstrap,
        Path client,
        Path logs,
        List<ProcessId> processes,
        List<ProcessId> companions,
        List<Path> folders) {
    private static final String FILE = "cluster.properties";
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

    public NamedCluster {
        processes = List.copyOf(processes);
        companions = List.copyOf(companions);
        folders = List.copyOf(folders);
    }

    public interface Companion {
        Companion NONE = (children, brokers, logs) -> List.of();

        List<ProcessId> start(Children children, List<Broker> brokers, Path logs);
    }

    /** Starts a cluster that outlives this process. Of simultaneous starts with one name, one succeeds. */
    public static NamedCluster start(
            String name, ClusterSpec spec, Path state, Journal journal, Progress progress, Companion companion) {
        if (!spec.startedByWeir()) {
            throw new IllegalArgumentException("a running cluster cannot be started: " + spec);
        }
        return alone(name, state, () -> startAlone(name, spec, state, journal, progress, companion));
    }

    public static Optional<String> wrongName(String name) {
        return NAME.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("'" + name + "' is not a cluster name; use up to 40 of a-z, 0-9 and '-', like 'mine'");
    }

    static NamedCluster alone(String name, Path state, Supplier<NamedCluster> start) {
        wrongName(name).ifPresent(wrong -> {
            throw new IllegalArgumentException(wrong);
        });
        CRC32 place = new CRC32();
        place.update(name.getBytes(StandardCharsets.UTF_8));
        Path file = clusters(state).resolve(".lock");
        // Each name locks one byte of a file. The kernel releases the lock when the process ends.
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock(place.getValue(), 1, false)) {
            if (lock != null) {
                return start.get();
            }
        } catch (OverlappingFileLockException inThisProcess) {
            throw beingStarted(name);
        } catch (IOException e) {
            throw new UncheckedIOException("locking " + file, e);
        }
        throw beingStarted(name);
    }

    private static ClusterUnavailable beingStarted(String name) {
        return new ClusterUnavailable(
                "a cluster '" + name + "' is started by another weir process at this moment; wait until 'weir cluster"
                        + " status' lists this cluster, or use another name");
    }

    private static NamedCluster startAlone(
            String name, ClusterSpec spec, Path state, Journal journal, Progress progress, Companion companion) {
        for (NamedCluster other : list(state)) {
            if (other.name().equals(name)) {
                if (other.running() > 0) {
                    throw new ClusterUnavailable("a cluster '" + name + "' is already running at " + other.bootstrap()
                            + "; stop it with 'weir cluster stop --name " + name + "', or use another name");
                }
                other.stop();
            }
        }
        // The folder's name is not only the cluster's name: clearing a killed start must never affect a later cluster.
        Path folder = journal.newFolder(clusters(state), name);
        boolean up = false;
        // This journal cleans up until the user can stop the cluster by its name.
        try (Children children = Children.outliving(journal)) {
            Path logs = folder.resolve("logs");
            EmbeddedCluster cluster = EmbeddedCluster.start(spec, children, logs, progress);
            Path client = folder.resolve("client.properties");
            NamedCluster named = new NamedCluster(
                    name,
                    spec.kafka(),
                    cluster.bootstrap(),
                    client,
                    logs,
                    cluster.processIds(),
                    companion.start(children, cluster.brokers(), logs),
                    cluster.folders());
            Properties properties = new Properties();
            properties.putAll(cluster.clientProperties());
            write(client, properties);
            write(folder.resolve(FILE), named.properties());
            cluster.folders().forEach(journal::folderGone);
            journal.folderGone(folder);
            up = true;
            return named;
        } catch (IOException e) {
            throw new UncheckedIOException("starting the cluster '" + name + "' in " + folder, e);
        } finally {
            if (!up) {
                journal.delete(folder);
            }
        }
    }

    public static List<NamedCluster> list(Path state) {
        Path all = state.resolve("clusters");
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(all)) {
            return folders.map(folder -> folder.resolve(FILE))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + all, e);
        }
    }

    public int running() {
        return (int) processes.stream().filter(ProcessId::alive).count();
    }

    public void stop() {
        processes.forEach(ProcessId::kill);
        companions.forEach(ProcessId::kill);
        folders.forEach(OwnedFolders::delete);
        OwnedFolders.delete(folder());
    }

    public Path folder() {
        return client.resolveSibling("");
    }

    private static Path clusters(Path state) {
        Path folder = state.resolve("clusters");
        return Io.attempt("making " + folder, () -> Files.createDirectories(folder, Io.OWN_FOLDER));
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("name", name);
        properties.setProperty("version", version);
        properties.setProperty("bootstrap", bootstrap);
        properties.setProperty("processes", written(processes));
        properties.setProperty("companions", written(companions));
        for (int i = 0; i < folders.size(); i++) {
            properties.setProperty("folder." + i, folders.get(i).toString());
        }
        return properties;
    }

    private static String written(List<ProcessId> ids) {
        return ids.stream().map(id -> id.pid() + " " + id.started()).collect(Collectors.joining(","));
    }

    private static List<ProcessId> processes(String written) {
        return Arrays.stream(written.split(",", -1))
                .map(process -> process.split(" ", 2))
                .filter(word -> word.length == 2 && word[0].matches("\\d{1,18}"))
                .map(word -> new ProcessId(Long.parseLong(word[0]), word[1]))
                .toList();
    }

    private static Optional<NamedCluster> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException stopped) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        List<Path> folders = properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith("folder."))
                .sorted()
                .map(key -> Path.of(properties.getProperty(key)))
                .toList();
        return Optional.of(new NamedCluster(
                properties.getProperty("name", ""),
                properties.getProperty("version", ""),
                properties.getProperty("bootstrap", ""),
                file.resolveSibling("client.properties"),
                file.resolveSibling("logs"),
                processes(properties.getProperty("processes", "")),
                processes(properties.getProperty("companions", "")),
                folders));
    }

    private static void write(Path file, Properties properties) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (Writer writer = Files.newBufferedWriter(part)) {
            properties.store(writer, null);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
