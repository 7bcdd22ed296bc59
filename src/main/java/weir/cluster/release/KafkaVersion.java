package weir.cluster.release;

import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.cluster.ClusterUnavailable;

/** A released version of Kafka. */
public record KafkaVersion(int major, int minor, int patch) implements Comparable<KafkaVersion> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final int NEWEST = 33;
    private static final NavigableMap<Integer, String> METADATA = new TreeMap<>(Map.ofEntries(
            Map.entry(4, "3.3"),
            Map.entry(8, "3.4"),
            Map.entry(9, "3.5"),
            Map.entry(12, "3.6"),
            Map.entry(15, "3.7"),
            Map.entry(20, "3.8"),
            Map.entry(21, "3.9"),
            Map.entry(22, "4.0"),
            Map.entry(26, "4.1"),
            Map.entry(28, "4.2"),
            Map.entry(30, "4.3"),
            Map.entry(31, "4.4")));

    private static final KafkaVersion OLDEST = new KafkaVersion(2, 7, 0);

    static final SortedSet<KafkaVersion> TRIED = new TreeSet<>(Stream.of(
                    "2.7.2", "2.8.2", "3.0.2", "3.1.2", "3.2.3", "3.3.2", "3.4.1", "3.5.2", "3.6.2", "3.7.2", "3.8.1",
                    "3.9.2", "4.0.1", "4.1.1", "4.2.0", "4.3.1", "4.4.0")
            .map(KafkaVersion::of)
            .toList());

    public static KafkaVersion of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new ClusterUnavailable(
                    "cluster.kafka: '" + text + "' is not a release of Kafka; write three numbers, like 4.4.0");
        }
        KafkaVersion version = new KafkaVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
        if (version.compareTo(OLDEST) < 0) {
            throw new ClusterUnavailable("cluster.kafka: must be " + OLDEST + " or later, found '" + text + "'; start a"
                    + " cluster of this release yourself, and write its addresses in cluster.bootstrap");
        }
        return version;
    }

    public static String ofMetadata(int level) {
        Map.Entry<Integer, String> release = METADATA.floorEntry(level);
        return release == null ? "older than 3.3" : release.getValue() + (level > NEWEST ? " or newer" : "");
    }

    /** True for releases before KRaft was ready for production, which keep metadata in ZooKeeper. */
    public boolean zooKeeper() {
        return !since(3, 3);
    }

    boolean sameMinor(KafkaVersion other) {
        return major == other.major && minor == other.minor;
    }

    public boolean since(int major, int minor) {
        return compareTo(new KafkaVersion(major, minor, 0)) >= 0;
    }

    @Override
    public int compareTo(KafkaVersion other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = Integer.compare(minor, other.minor);
        return byMajor != 0 ? byMajor : byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
