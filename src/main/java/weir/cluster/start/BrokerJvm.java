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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NodeSetting;
import weir.cluster.Progress;
import weir.cluster.broker.BrokerMain;
import weir.cluster.release.Release;
import weir.host.Children;
import weir.host.HomeFolders;
import weir.host.Host;
import weir.host.JavaRuntime;
import weir.host.ProcessAction;
import weir.io.Io;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.RecordKeys;

/**
 * The JVM of a broker, without any setting from the environment.
 *
 * @param exit the class that Kafka calls to end its JVM
 * @param archive the class-data archive to read; empty for none
 */
record BrokerJvm(JavaRuntime java, String classpath, String exit, Path archive, List<String> asked) {
    private static final List<String> COLLECTOR = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent");
    private static final long CONTROLLER_HEAP = 256L << 20;

    BrokerJvm {
        asked = List.copyOf(asked);
    }

    static BrokerJvm prepared(String version, Path home, List<String> asked, Children children, Progress progress) {
        BrokerJvm bare = fetched(version, home, asked, progress);
        Path archive = BrokerClassArchive.archive(version, bare, children, progress);
        return new BrokerJvm(bare.java, bare.classpath, bare.exit, archive, asked);
    }

    /** A JVM without an archive of classes. */
    static BrokerJvm fetched(String version, Path home, List<String> asked, Progress progress) {
        Release release = Release.fetch(version, progress);
        Path launcher = BrokerLauncherJar.jar(HomeFolders.ofThisUser().cache());
        JavaRuntime java = home.toString().isEmpty() ? JavaRuntime.own() : new JavaRuntime(home);
        return new BrokerJvm(
                java, launcher + File.pathSeparator + release.joined(), release.exit(), Path.of(""), asked);
    }

    BrokerJvm at(Host host, Path home) {
        List<Path> jars =
                Stream.of(classpath.split(File.pathSeparator, -1)).map(Path::of).toList();
        String there = host.jars(jars).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        JavaRuntime runtime = home.toString().isEmpty() ? host.java() : new JavaRuntime(home);
        return new BrokerJvm(runtime, there, exit, Path.of(""), asked);
    }

    List<NodeSetting> flags(Node node, long heap, Path logging, Path crash, Path temporary) {
        List<NodeSetting> flags = new ArrayList<>();
        // A dedicated controller holds metadata and no records.
        long bytes = node.broker() ? heap : Math.min(heap, CONTROLLER_HEAP);
        flags.add(flag(node, "-Xms" + bytes, "cluster.heap: a fixed heap does not grow during the measurement"));
        flags.add(flag(node, "-Xmx" + bytes, "cluster.heap: a fixed heap does not grow during the measurement"));
        flags.add(flag(node, "-XX:+AlwaysPreTouch", "touches pages before the measurement"));
        if (asked.stream().noneMatch(flag -> flag.matches("-XX:\\+Use\\w+GC"))) {
            COLLECTOR.forEach(flag -> flags.add(flag(node, flag, "Kafka's own start script")));
        }
        flags.add(flag(node, "-Djava.awt.headless=true", "Kafka's own start script"));
        if (!archive.toString().isEmpty()) {
            flags.add(flag(node, "-XX:SharedArchiveFile=" + archive, "the JVM starts in half the time"));
        }
        flags.add(flag(
                node,
                (logging.toString().endsWith("log4j2.properties")
                                ? "-Dlog4j2.configurationFile="
                                : "-Dlog4j.configuration=")
                        + logging.toUri().toString().replace(",", "%2C"),
                "one log file per broker"));
        // The JVM replaces %p with its process id.
        flags.add(flag(
                node, "-XX:ErrorFile=" + crash.toString().replace("%", "%%"), "a crash report is next to the log"));
        flags.add(flag(node, "-Djava.io.tmpdir=" + temporary, "temporary files are deleted with the cluster"));
        asked.forEach(flag -> flags.add(flag(
                node,
                flag,
                flag.equals(ClusterSpec.ONE_COMPILER)
                        ? "cluster.jvm or --short asks for it"
                        : "cluster.jvm asks for it")));
        return flags;
    }

    List<String> program(List<NodeSetting> flags) {
        List<String> program = new ArrayList<>(List.of(java.launcher().toString()));
        flags.forEach(flag -> program.add(flag.value()));
        program.addAll(List.of("-cp", classpath, BrokerMain.class.getName(), exit));
        return program;
    }

    private static NodeSetting flag(Node node, String flag, String reason) {
        return new NodeSetting(node.name(), "jvm", flag, reason);
    }

    /**
     * The archive of a broker's loaded classes, one for each release and JVM. It halves the CPU time of a start. A
     * broker that handles one record and ends writes the archive.
     */
    static final class BrokerClassArchive {
        private BrokerClassArchive() {}

        static synchronized Path archive(String version, BrokerJvm jvm, Children children, Progress progress) {
            String key = key(jvm);
            if (!jvm.java().archivesClasses()) {
                return Path.of("");
            }
            Path folder = HomeFolders.ofThisUser().cache().resolve("kafka/" + version);
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
                        progress.report("writing a class archive for faster starts of Kafka " + version
                                + ", once for this Java");
                        train(version, jvm, archive, children);
                    }
                }
                return archive;
            } catch (IOException e) {
                throw new UncheckedIOException("making " + archive, e);
            } catch (ClusterUnavailable e) {
                progress.report("no class archive for Kafka " + version + ": " + e.getMessage());
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
                cluster.act(ProcessAction.STOP, 1);
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

        // The JVM uses an archive only if the jars and the build of the JVM are the same.
        private static String key(BrokerJvm jvm) {
            Path modules = jvm.java().modules();
            if (!Files.isRegularFile(modules)) {
                throw new ClusterUnavailable(
                        "cluster.java: " + jvm.java().launcher() + " is not in a Java runtime: it has no " + modules);
            }
            CRC32 sum = new CRC32();
            Stream.concat(
                            Stream.of(jvm.classpath().split(File.pathSeparator, -1))
                                    .map(Path::of),
                            Stream.of(modules))
                    .forEach(file -> sum.update(stamp(file).getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().toHexDigits(sum.getValue(), 8);
        }

        private static String stamp(Path file) {
            return Io.attempt(
                    "reading " + file,
                    () -> file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n");
        }
    }
}
