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

/** The Kafka cluster under test. */
public sealed interface ClusterSpec {
    /** The properties of every client that connects; secret references are unresolved. */
    SortedMap<String, String> client();

    /**
     * True if Weir starts and stops the cluster, so Weir may recreate and disturb it; others may depend on an external
     * cluster.
     */
    boolean ours();

    /** True if the brokers run on this machine and share its cores and disks. */
    boolean here();

    boolean plaintext();

    default boolean freshEachTrial() {
        return false;
    }

    String LOOPBACK = "127.0.0.1";

    /** The flag for JVMs that live for seconds: optimized compilation would cost more CPU than it saves. */
    String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** The reason why Kafka would not keep its data in this folder; empty if it would. */
    static Optional<String> split(Path data) {
        return data.toString().contains(",")
                ? Optional.of("'" + data
                        + "' has a comma, at which Kafka's log.dirs begins another folder; choose one without")
                : Optional.empty();
    }

    /** The cluster of a short run: {@link #ONE_COMPILER} precedes the JVM flags of our brokers. */
    default ClusterSpec brief() {
        return this;
    }

    /** The Kafka release to start; empty for an external cluster, like the following properties. */
    default String kafka() {
        return "";
    }

    default List<Broker> brokers() {
        return List.of();
    }

    default int dedicatedControllers() {
        return 0;
    }

    default SortedMap<String, Integer> features() {
        return Collections.emptySortedMap();
    }

    default SortedMap<String, String> broker() {
        return Collections.emptySortedMap();
    }

    default ByteSize heap() {
        return new ByteSize(0);
    }

    default Path data() {
        return Path.of("");
    }

    /** The placement of the brokers; broker 1 and the first dedicated controller run on the first host. */
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    default Limits within() {
        return Limits.NONE;
    }

    default List<Path> classpath() {
        return List.of();
    }

    default List<String> metrics() {
        return List.of();
    }

    /**
     * A cluster that Weir starts. Paths are paths on its hosts; an empty {@code data} or {@code java} path means
     * Weir's own.
     */
    record Embedded(
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
            String address)
            implements ClusterSpec {
        public Embedded {
            brokers = List.copyOf(brokers);
            jvm = List.copyOf(jvm);
            features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
            broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
            client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
        }

        @Override
        public Embedded brief() {
            List<String> flags =
                    Stream.concat(Stream.of(ONE_COMPILER), jvm.stream()).toList();
            return RecordKeys.with(this, Map.of("jvm", flags));
        }

        @Override
        public boolean ours() {
            return true;
        }

        @Override
        public boolean here() {
            return !placed.elsewhere();
        }

        @Override
        public boolean plaintext() {
            return security == Security.PLAINTEXT;
        }

        @Override
        public boolean freshEachTrial() {
            return fresh == Fresh.TRIAL;
        }
    }

    /** An existing cluster; {@code bootstrap} has addresses without a protocol, separated by commas only. */
    record External(String bootstrap, SortedMap<String, String> client, List<Path> classpath, List<String> metrics)
            implements ClusterSpec {
        public External {
            bootstrap = Stream.of(bootstrap.split(",", -1))
                    .map(address -> address.strip().replaceFirst("^[^/]*://", ""))
                    .filter(address -> !address.isEmpty())
                    .collect(Collectors.joining(","));
            client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
            classpath = List.copyOf(classpath);
            metrics = List.copyOf(metrics);
        }

        @Override
        public boolean ours() {
            return false;
        }

        @Override
        public boolean here() {
            return false;
        }

        @Override
        public boolean plaintext() {
            return client.getOrDefault("security.protocol", "PLAINTEXT").equals("PLAINTEXT");
        }
    }

    /** The settings of a single broker; an empty rack means none, an empty data path means the cluster's. */
    record Broker(String rack, SortedMap<String, String> broker, Path data) {
        public Broker {
            broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
        }
    }

    enum Security {
        PLAINTEXT,
        SSL,
        SASL_PLAINTEXT,
        SASL_SSL
    }

    enum Fresh {
        TRIAL,
        RUN
    }
}
