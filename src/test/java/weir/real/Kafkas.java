package weir.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import weir.plan.ByteSize;
import weir.plan.ClusterSpec;
import weir.plan.RecordKeys;
import weir.plan.TopicSpec;

/** Clusters for tests: small heaps, everything else as in a plan. */
public record Kafkas(
        String version,
        int brokers,
        int controllers,
        ClusterSpec.Security security,
        SortedMap<String, String> broker,
        SortedMap<String, Integer> features,
        List<String> jvm) {
    public static Kafkas of(String version, int brokers) {
        return new Kafkas(
                version, brokers, 0, ClusterSpec.Security.PLAINTEXT, new TreeMap<>(), new TreeMap<>(), List.of());
    }

    Kafkas controllers(int dedicated) {
        return new Kafkas(version, brokers, dedicated, security, broker, features, jvm);
    }

    public Kafkas security(ClusterSpec.Security wanted) {
        return new Kafkas(version, brokers, controllers, wanted, broker, features, jvm);
    }

    public Kafkas broker(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(broker);
        more.put(name, value);
        return new Kafkas(version, brokers, controllers, security, more, features, jvm);
    }

    Kafkas feature(String name, int level) {
        SortedMap<String, Integer> more = new TreeMap<>(features);
        more.put(name, level);
        return new Kafkas(version, brokers, controllers, security, broker, more, jvm);
    }

    Kafkas jvm(String flag) {
        return new Kafkas(version, brokers, controllers, security, broker, features, List.of(flag));
    }

    public ClusterSpec spec() {
        List<ClusterSpec.Broker> each = new ArrayList<>();
        for (int id = 1; id <= brokers; id++) {
            each.add(new ClusterSpec.Broker("rack-" + id, new TreeMap<>(), Path.of("")));
        }
        // Most brokers live for seconds: optimizing their code would cost more CPU than it saves.
        List<String> flags =
                Stream.concat(Stream.of(ClusterSpec.ONE_COMPILER), jvm.stream()).toList();
        return RecordKeys.with(
                ClusterSpec.started(version, brokers),
                Map.ofEntries(
                        Map.entry("brokers", each),
                        Map.entry("controllers", controllers),
                        Map.entry("features", features),
                        Map.entry("security", security),
                        Map.entry("heap", new ByteSize(256L << 20)),
                        Map.entry("jvm", flags),
                        Map.entry("broker", broker),
                        Map.entry("fresh", ClusterSpec.Fresh.TRIAL)));
    }

    /** Returns the plan of a topic with small segments. */
    public static TopicSpec topic(int partitions, int replication, int count) {
        return new TopicSpec(partitions, replication, count, false, new TreeMap<>(Map.of("segment.bytes", "2097152")));
    }
}
