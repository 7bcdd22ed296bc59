package weir.cluster.release;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;
import weir.cluster.Progress;
import weir.host.HomeFolders;

/** One released Kafka as a class path of jars. */
public record Release(String version, List<Path> classpath) {
    public Release {
        classpath = List.copyOf(classpath);
    }

    /** The broker, from the cache or through the user's own Maven settings. */
    public static Release fetch(String version, Progress progress) {
        return fetch(version, false, HomeFolders.ours().cache(), progress);
    }

    /** The same with the official performance tools. */
    public static Release fetchWithTools(String version, Progress progress) {
        return fetch(version, true, HomeFolders.ours().cache(), progress);
    }

    static Release fetch(String version, boolean tools, Path cache, Progress progress) {
        KafkaVersion known = KafkaVersion.of(version);
        Path plain = list(cache, version);
        Path list = tools ? plain.resolveSibling(plain.getFileName() + "-with-tools") : plain;
        List<Path> jars = read(list);
        if (jars.isEmpty()) {
            progress.doing("fetching Kafka " + version);
            jars = MavenRepository.resolve(known, tools, progress);
            write(list, jars);
        }
        return new Release(version, jars);
    }

    /** The file of a cache that lists the jars of a broker of this version. */
    public static Path list(Path cache, String version) {
        return cache.resolve("kafka").resolve(version).resolve("classpath");
    }

    /** Lets the broker be found in a cache, where its jars are. */
    public void keep(Path cache) {
        write(list(cache, version), classpath);
    }

    public String joined() {
        return classpath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Empty when the list is not there, or a jar of it is not there any more. */
    private static List<Path> read(Path list) {
        try {
            if (!Files.isRegularFile(list)) {
                return List.of();
            }
            List<Path> jars = Files.readAllLines(list).stream().map(Path::of).toList();
            return jars.stream().allMatch(Files::isRegularFile) ? jars : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + list, e);
        }
    }

    private static void write(Path list, List<Path> jars) {
        try {
            Path folder = Files.createDirectories(list.resolveSibling(""));
            Path whole = Files.createTempFile(folder, "classpath", ".new");
            Files.write(whole, jars.stream().map(Path::toString).toList());
            Files.move(whole, list, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + list, e);
        }
    }
}
