package weir.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A released version of Kafka. */
record Version(int major, int minor, int patch) implements Comparable<Version> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final Version OLDEST = new Version(3, 3, 0);

    static Version of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new ClusterUnavailable(
                    "cluster.kafka: '" + text + "' is not a release of Kafka; write three numbers, like 4.3.1");
        }
        Version version = new Version(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
        if (version.compareTo(OLDEST) < 0) {
            throw new ClusterUnavailable("cluster.kafka: Kafka " + text + " cannot run without ZooKeeper;"
                    + " Weir starts releases from 3.3.0 on, and connects to older ones with cluster.bootstrap");
        }
        return version;
    }

    boolean since(int major, int minor) {
        return compareTo(new Version(major, minor, 0)) >= 0;
    }

    @Override
    public int compareTo(Version other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = Integer.compare(minor, other.minor);
        return byMajor != 0 ? byMajor : byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
