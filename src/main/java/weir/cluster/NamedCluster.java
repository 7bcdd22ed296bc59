package weir.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.host.Children;
import weir.host.Folders;
import weir.host.Journal;
import weir.host.ProcessId;
import weir.plan.ClusterSpec;

/**
 * A cluster started by hand, which goes on after us until it is stopped by its name.
 *
 * @param client a file with all that a client needs to connect
 * @param logs the folder of its logs
 */
public record NamedCluster(
        String name,
        String version,
        String bootstrap,
        Path client,
        Path logs,
        List<ProcessId> processes,
        List<Path> folders) {
    private static final String FILE = "cluster.properties";

    public NamedCluster {
        processes = List.copyOf(processes);
        folders = List.copyOf(folders);
    }

    /** Starts it and lets it go; {@code state} is {@link Journal#state()}. */
    public static NamedCluster start(
            String name, ClusterSpec.Embedded spec, Path state, Journal journal, Progress progress) {
        Path folder = folder(state, name);
        for (NamedCluster other : list(state)) {
            if (other.name().equals(name)) {
                if (other.running() > 0) {
                    throw new ClusterUnavailable("a cluster '" + name + "' runs already, at " + other.bootstrap()
                            + "; stop it with 'weir cluster stop --name " + name + "', or give this one another name");
                }
                other.stop();
            }
        }
        // Until it is written down where it can be stopped, whoever finds this journal clears it all.
        journal.folder(folder);
        try (Children children = Children.outliving(journal)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path logs = folder.resolve("logs");
            EmbeddedCluster cluster = EmbeddedCluster.start(spec, children, logs, progress);
            Path client = folder.resolve("client.properties");
            NamedCluster named = new NamedCluster(
                    name, spec.kafka(), cluster.bootstrap(), client, logs, cluster.processIds(), cluster.folders());
            Properties properties = new Properties();
            properties.putAll(cluster.clientProperties());
            write(client, properties);
            write(folder.resolve(FILE), named.properties());
            cluster.folders().forEach(journal::folderGone);
            journal.folderGone(folder);
            return named;
        } catch (IOException e) {
            throw new UncheckedIOException("starting the cluster '" + name + "' in " + folder, e);
        }
    }

    /** All that were started and not stopped, dead ones too. */
    public static List<NamedCluster> list(Path state) {
        Path all = state.resolve("clusters");
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(all)) {
            return folders.map(folder -> folder.resolve(FILE))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .map(NamedCluster::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("listing " + all, e);
        }
    }

    /** How many of its processes live. */
    public int running() {
        return (int) processes.stream().filter(ProcessId::alive).count();
    }

    /** Kills its processes and deletes its data, its logs too. */
    public void stop() {
        processes.forEach(ProcessId::kill);
        folders.forEach(Folders::delete);
        Folders.delete(client.resolveSibling(""));
    }

    private static Path folder(Path state, String name) {
        if (!name.matches("[a-z0-9-]{1,40}")) {
            throw new ClusterUnavailable(
                    "'" + name + "' is no name for a cluster; use up to 40 of a-z, 0-9 and '-', like 'mine'");
        }
        return state.resolve("clusters").resolve(name);
    }

    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("name", name);
        properties.setProperty("version", version);
        properties.setProperty("bootstrap", bootstrap);
        properties.setProperty(
                "processes",
                processes.stream().map(id -> id.pid() + " " + id.started()).collect(Collectors.joining(",")));
        for (int i = 0; i < folders.size(); i++) {
            properties.setProperty("folder." + i, folders.get(i).toString());
        }
        return properties;
    }

    private static NamedCluster read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        List<ProcessId> processes = Arrays.stream(
                        properties.getProperty("processes", "").split(",", -1))
                .map(process -> process.split(" ", 2))
                .filter(word -> word.length == 2 && word[0].matches("\\d{1,18}"))
                .map(word -> new ProcessId(Long.parseLong(word[0]), word[1]))
                .toList();
        List<Path> folders = properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith("folder."))
                .sorted()
                .map(key -> Path.of(properties.getProperty(key)))
                .toList();
        return new NamedCluster(
                properties.getProperty("name", ""),
                properties.getProperty("version", ""),
                properties.getProperty("bootstrap", ""),
                file.resolveSibling("client.properties"),
                file.resolveSibling("logs"),
                processes,
                folders);
    }

    private static void write(Path file, Properties properties) throws IOException {
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }
}
