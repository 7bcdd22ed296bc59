package weir.cluster.start;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.cluster.NodeSetting;
import weir.cluster.Progress;
import weir.cluster.release.Release;
import weir.host.Children;
import weir.host.HomeFolders;
import weir.host.Host;
import weir.host.JavaRuntime;
import weir.plan.ClusterSpec;

/**
 * The JVM of a broker: its program, class path and flags, all explicit.
 *
 * @param exit the class by which Kafka ends its JVM
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
        Path cache = HomeFolders.ours().cache();
        Release release = Release.fetch(version, progress);
        BrokerJvm bare = bare(release, home, asked, cache);
        Path archive = BrokerClassArchive.archive(release, bare, cache, children, progress);
        return new BrokerJvm(bare.java, bare.classpath, bare.exit, archive, asked);
    }

    static BrokerJvm fetched(String version, List<String> asked, Progress progress) {
        return bare(
                Release.fetch(version, progress),
                Path.of(""),
                asked,
                HomeFolders.ours().cache());
    }

    private static BrokerJvm bare(Release release, Path home, List<String> asked, Path cache) {
        JavaRuntime java = home.toString().isEmpty() ? JavaRuntime.own() : new JavaRuntime(home);
        String classpath = BrokerLauncherJar.jar(cache) + File.pathSeparator + release.joined();
        return new BrokerJvm(java, classpath, release.exit(), Path.of(""), asked);
    }

    BrokerJvm at(Host host, Path home) {
        List<Path> jars =
                Stream.of(classpath.split(File.pathSeparator, -1)).map(Path::of).toList();
        String there = host.jars(jars).stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        JavaRuntime runtime = home.toString().isEmpty() ? host.java() : new JavaRuntime(home);
        return new BrokerJvm(runtime, there, exit, Path.of(""), asked);
    }

    /** Every flag with its reason, in command-line order; the asked ones come last and win. */
    List<NodeSetting> flags(Node node, long heap, Path logging, Path crash, Path temporary) {
        List<NodeSetting> flags = new ArrayList<>();
        // A dedicated controller holds metadata and no records.
        long bytes = node.broker() ? heap : Math.min(heap, CONTROLLER_HEAP);
        flags.add(flag(node, "-Xms" + bytes, "cluster.heap: fixed, so that it does not grow while measured"));
        flags.add(flag(node, "-Xmx" + bytes, "cluster.heap: fixed, so that it does not grow while measured"));
        flags.add(flag(node, "-XX:+AlwaysPreTouch", "pages are touched before, not while measured"));
        if (asked.stream().noneMatch(flag -> flag.matches("-XX:\\+Use\\w+GC"))) {
            COLLECTOR.forEach(flag -> flags.add(flag(node, flag, "Kafka's own start script")));
        }
        flags.add(flag(node, "-Djava.awt.headless=true", "Kafka's own start script"));
        if (!archive.toString().isEmpty()) {
            flags.add(flag(node, "-XX:SharedArchiveFile=" + archive, "starts in half the time"));
        }
        flags.add(flag(
                node,
                (logging.toString().endsWith("log4j2.properties")
                                ? "-Dlog4j2.configurationFile="
                                : "-Dlog4j.configuration=")
                        + uri(logging),
                "one log file for each broker"));
        // The JVM replaces %p by its number.
        flags.add(flag(
                node, "-XX:ErrorFile=" + crash.toString().replace("%", "%%"), "a crash is reported beside the log"));
        flags.add(flag(node, "-Djava.io.tmpdir=" + temporary, "what is unpacked there goes with the cluster"));
        asked.forEach(flag -> flags.add(flag(
                node,
                flag,
                flag.equals(ClusterSpec.ONE_COMPILER)
                        ? "cluster.jvm or --short asks for it"
                        : "cluster.jvm asks for it")));
        return flags;
    }

    private static String uri(Path file) {
        return file.toUri().toString().replace(",", "%2C");
    }

    private static NodeSetting flag(Node node, String flag, String reason) {
        return new NodeSetting(node.name(), "jvm", flag, reason);
    }
}
