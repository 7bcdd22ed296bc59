package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Kafka cluster under test. Weir starts the cluster, or {@code bootstrap} names an existing cluster. An existing
 * cluster has no {@code kafka} and no {@code brokers}. Paths are paths on the hosts of the brokers. If {@code data} is
 * empty, the run folder contains the data. If {@code java} is empty, brokers run with Weir's Java.
 *
 * @param placed the hosts of the brokers; broker 1 and the first dedicated controller run on the first host
 * @param client the properties of every client that connects; secret references are unresolved
 * @param bootstrap HOST:PORT addresses, separated by commas without spaces
 */
public record ClusterSpec(
        String kafka,
        List<Broker> brokers,
        int dedicatedControllers,
        SortedMap<String, Integer> features,
        Security security,
        ByteSize heap,
        List<String> jvm,
        Path java,
        Path data,
        PlacedSpec placed,
        Limits within,
        SortedMap<String, String> broker,
        Fresh fresh,
        SortedMap<String, String> client,
        String address,
        String bootstrap,
        List<Path> classpath,
        List<String> metrics) {
    public static final String LOOPBACK = "127.0.0.1";

    /** The flag for JVMs that run for seconds, because optimized compilation would cost more CPU than it saves. */
    public static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final ClusterSpec EMPTY = new ClusterSpec(
            "",
            List.of(),
            0,
            Collections.emptySortedMap(),
            Security.PLAINTEXT,
            new ByteSize(0),
            List.of(),
            Path.of(""),
            Path.of(""),
            new PlacedSpec.Here(),
            Limits.NONE,
            Collections.emptySortedMap(),
            Fresh.RUN,
            Collections.emptySortedMap(),
            LOOPBACK,
            "",
            List.of(),
            List.of());

    public ClusterSpec {
        brokers = List.copyOf(brokers);
        features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
        jvm = List.copyOf(jvm);
        broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
        client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
        bootstrap = Stream.of(bootstrap.split(",", -1))
                .map(server -> server.strip().replaceFirst("^[^/]*://", ""))
                .filter(server -> !server.isEmpty())
                .collect(Collectors.joining(","));
        classpath = List.copyOf(classpath);
        metrics = List.copyOf(metrics);
    }

    /** A cluster of brokers with default settings that Weir starts, without limits. */
    public static ClusterSpec started(String kafka, int brokers) {
        return RecordKeys.with(EMPTY, Map.of("kafka", kafka, "brokers", Collections.nCopies(brokers, Broker.PLAIN)));
    }

    public static ClusterSpec existing(String bootstrap, SortedMap<String, String> client) {
        return RecordKeys.with(EMPTY, Map.of("bootstrap", bootstrap, "client", client));
    }

    /** True if Weir starts and stops the cluster. Other users may depend on an existing cluster. */
    public boolean startedByWeir() {
        return !brokers.isEmpty();
    }

    /** True if the brokers run on this machine and share its cores and disks. */
    public boolean here() {
        return startedByWeir() && !placed.remote();
    }

    public boolean plaintext() {
        return startedByWeir()
                ? security == Security.PLAINTEXT
                : client.getOrDefault("security.protocol", "PLAINTEXT").equals("PLAINTEXT");
    }

    public boolean freshEachTrial() {
        return fresh == Fresh.TRIAL;
    }

    /** The cluster of a short run, with {@link #ONE_COMPILER} as the first JVM flag of the brokers. */
    public ClusterSpec brief() {
        List<String> flags =
                Stream.concat(Stream.of(ONE_COMPILER), jvm.stream()).toList();
        return startedByWeir() ? RecordKeys.with(this, Map.of("jvm", flags)) : this;
    }

    /** The reason why Kafka cannot keep its data in this folder; empty if it can. */
    public static Optional<String> split(Path data) {
        return data.toString().contains(",")
                ? Optional.of("'" + data
                        + "' has a comma, which separates folders in Kafka's log.dirs; use a path without a comma")
                : Optional.empty();
    }

    /** The settings of a single broker. An empty rack means none, an empty data path means the cluster's. */
    public record Broker(String rack, SortedMap<String, String> broker, Path data) {
        public static final Broker PLAIN = new Broker("", Collections.emptySortedMap(), Path.of(""));

        public Broker {
            broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
        }
    }

    public enum Security {
        PLAINTEXT,
        SSL,
        SASL_PLAINTEXT,
        SASL_SSL
    }

    public enum Fresh {
        RUN,
        TRIAL
    }
}
