package weir.cluster.start;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Progress;
import weir.cluster.release.Release;
import weir.host.Children;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.RecordKeys;

/**
 * The archive of a broker's loaded classes, one for each release and JVM, which halves the work of starting it. A
 * broker that starts, passes a record and ends writes it once.
 */
final class BrokerClassArchive {
    private BrokerClassArchive() {}

    static synchronized Path archive(Release release, BrokerJvm jvm, Path cache, Children children, Progress progress) {
        String key = key(jvm);
        if (!jvm.java().archivesClasses()) {
            return Path.of("");
        }
        Path folder = cache.resolve("kafka/" + release.version());
        Path archive = folder.resolve("classes-" + key + ".jsa");
        if (Files.isRegularFile(archive)) {
            return archive;
        }
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("classes.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                if (lock.isValid() && !Files.isRegularFile(archive)) {
                    progress.doing("preparing fast starts of Kafka " + release.version() + ", once for this Java");
                    train(release.version(), jvm, archive, children);
                }
            }
            return archive;
        } catch (IOException e) {
            throw new UncheckedIOException("making " + archive, e);
        } catch (ClusterUnavailable e) {
            progress.doing("no fast starts of Kafka " + release.version() + ": " + e.getMessage());
            return Path.of("");
        }
    }

    private static void train(String version, BrokerJvm jvm, Path archive, Children children) throws IOException {
        Path folder = children.journal().newFolder("training");
        Path made = folder.resolve("classes.jsa");
        BrokerJvm training = new BrokerJvm(
                jvm.java(), jvm.classpath(), jvm.exit(), Path.of(""), List.of("-XX:ArchiveClassesAtExit=" + made));
        try (EmbeddedCluster cluster = EmbeddedCluster.start(
                smallest(version), training, children, folder, StartOptions.plain(), what -> {})) {
            cluster.stop(1);
            if (!Files.isRegularFile(made)) {
                throw new ClusterUnavailable(jvm.java().launcher() + " wrote no class-data archive");
            }
            Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            children.journal().delete(folder);
        }
    }

    static ClusterSpec smallest(String version) {
        return RecordKeys.with(ClusterSpec.started(version, 1), Map.of("heap", new ByteSize(256L << 20)));
    }

    // An archive is good for these very jars and this build of the JVM; the JVM checks both and ignores one that is
    // not.
    private static String key(BrokerJvm jvm) {
        Path modules = jvm.java().modules();
        if (!Files.isRegularFile(modules)) {
            throw new ClusterUnavailable(
                    "cluster.java: " + jvm.java().launcher() + " belongs to no Java runtime: no " + modules);
        }
        CRC32 sum = new CRC32();
        Stream.concat(Stream.of(jvm.classpath().split(File.pathSeparator, -1)).map(Path::of), Stream.of(modules))
                .forEach(file -> sum.update(stamp(file).getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().toHexDigits(sum.getValue(), 8);
    }

    private static String stamp(Path file) {
        try {
            return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n";
        } catch (IOException e) {
            throw new UncheckedIOException("looking at " + file, e);
        }
    }
}
