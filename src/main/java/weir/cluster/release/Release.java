package weir.cluster.release;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Progress;
import weir.host.HomeFolders;
import weir.io.Io;

/** One Kafka release as a class path of jars. */
public record Release(String version, List<Path> classpath) {
    /** The class by which Kafka ends its JVM. Its package changed with 4.4.0. */
    private static final List<String> EXITS =
            List.of("org.apache.kafka.common.utils.internals.Exit", "org.apache.kafka.common.utils.Exit");

    private static final List<String> MAINS = List.of("kafka.Kafka");

    public Release {
        classpath = List.copyOf(classpath);
    }

    /** Returns the jars of a broker from the cache, or downloads them with the user's own Maven settings. */
    public static Release fetch(String version, Progress progress) {
        return fetch(version, false, HomeFolders.ofThisUser().cache(), progress);
    }

    public static Release fetchWithTools(String version, Progress progress) {
        return fetch(version, true, HomeFolders.ofThisUser().cache(), progress);
    }

    static Release fetch(String version, boolean tools, Path cache, Progress progress) {
        KafkaVersion known = KafkaVersion.of(version);
        Path plain = list(cache, version);
        Path list = tools ? plain.resolveSibling(plain.getFileName() + "-with-tools") : plain;
        List<Path> jars = read(list);
        if (jars.isEmpty()) {
            progress.report("downloading Kafka " + version);
            jars = MavenRepository.resolve(known, tools, progress);
            write(list, jars);
        }
        Release release = new Release(version, jars);
        release.first(EXITS);
        release.first(MAINS);
        return release;
    }

    /**
     * Remarks on a release before its start; empty if Weir is known to work with it.
     *
     * @throws ClusterUnavailable if no repository has the release
     */
    public static List<String> remarks(String version) {
        KafkaVersion known = KafkaVersion.of(version);
        if (KafkaVersion.TRIED.contains(known)) {
            return List.of();
        }
        List<String> remarks = new ArrayList<>();
        if (read(list(HomeFolders.ofThisUser().cache(), version)).isEmpty()) {
            remarks.addAll(MavenRepository.ask(known));
        }
        if (KafkaVersion.TRIED.stream().noneMatch(known::sameMinor)) {
            remarks.add("Kafka " + version + " is not tested with this Weir; the newest tested release is "
                    + KafkaVersion.TRIED.last());
        }
        return remarks;
    }

    public String exit() {
        return first(EXITS);
    }

    private String first(List<String> classes) {
        for (String name : classes) {
            String entry = name.replace('.', '/') + ".class";
            if (classpath.stream().anyMatch(jar -> has(jar, entry))) {
                return name;
            }
        }
        throw new ClusterUnavailable("cluster.kafka: Weir cannot start Kafka " + version + ", because its jars have"
                + " no class "
                + String.join(" or ", classes) + "; Weir starts releases up to " + KafkaVersion.TRIED.last());
    }

    private static boolean has(Path jar, String entry) {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return file.getEntry(entry) != null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + jar, e);
        }
    }

    public static Path list(Path cache, String version) {
        return cache.resolve("kafka").resolve(version).resolve("classpath");
    }

    public void keep(Path cache) {
        write(list(cache, version), classpath);
    }

    public String joined() {
        return classpath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static List<Path> read(Path list) {
        return Io.attempt("reading " + list, () -> {
            if (!Files.isRegularFile(list)) {
                return List.of();
            }
            List<Path> jars = Files.readAllLines(list).stream().map(Path::of).toList();
            return jars.stream().allMatch(Files::isRegularFile) ? jars : List.of();
        });
    }

    private static void write(Path list, List<Path> jars) {
        Io.attempt("writing " + list, () -> {
            Path folder = Files.createDirectories(list.resolveSibling(""));
            Path whole = Files.createTempFile(folder, "classpath", ".new");
            Files.write(whole, jars.stream().map(Path::toString).toList());
            Files.move(whole, list, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        });
    }
}
