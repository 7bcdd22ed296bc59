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

/** The Kafka under test. It answers for itself, so that nobody has to ask which form it has. */
public sealed interface ClusterSpec {
    /** Client properties for everyone who connects, secret references unresolved. */
    SortedMap<String, String> client();

    /** Started and ended by us, so it may be made fresh and disturbed; otherwise others may depend on it. */
    boolean ours();

    /** Its brokers are processes of this machine and share its cores and disks. */
    boolean here();

    /** Connections to it are neither encrypted nor logged in. */
    boolean plaintext();

    /** An empty one is started for each trial. */
    default boolean freshEachTrial() {
        return false;
    }

    /** The address on which brokers of ours listen unless somebody elsewhere has to reach them. */
    String LOOPBACK = "127.0.0.1";

    /** A flag of JVMs that live for seconds: compiling their code well would take more CPU than it saves. */
    String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

    /** The reason why Kafka would keep data elsewhere than in this folder; empty where it keeps it there. */
    static Optional<String> split(Path data) {
        return data.toString().contains(",")
                ? Optional.of("'" + data
                        + "' has a comma, at which Kafka's log.dirs begins another folder; choose one without")
                : Optional.empty();
    }

    /** The same for a short form; {@link #ONE_COMPILER} stands before the flags of brokers of ours. */
    default ClusterSpec brief() {
        return this;
    }

    /** The release to start; empty for a cluster that is there already, as are all the answers that follow. */
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

    /** Properties of all brokers. */
    default SortedMap<String, String> broker() {
        return Collections.emptySortedMap();
    }

    /** The heap of each broker's JVM. */
    default ByteSize heap() {
        return new ByteSize(0);
    }

    default Path data() {
        return Path.of("");
    }

    /** Where its brokers run, the first of them and the first of the dedicated controllers on the first host. */
    default PlacedSpec placed() {
        return PlacedSpec.HERE;
    }

    default Limits within() {
        return Limits.NONE;
    }

    /** Jars that clients of this cluster need beside ours. */
    default List<Path> classpath() {
        return List.of();
    }

    /** Addresses that its metrics are read from. */
    default List<String> metrics() {
        return List.of();
    }

    /**
     * A cluster that is started for the run. Paths are those of the hosts on which it runs; an empty {@code data} or
     * {@code java} path means ours.
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

    /**
     * A cluster that is there already; {@code bootstrap} is addresses without a protocol, which Kafka's clients skip, and
     * nothing but a comma between them.
     */
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

    /** The settings of one broker alone. An empty rack means none, an empty data path the cluster's. */
    record Broker(String rack, SortedMap<String, String> broker, Path data) {
        public Broker {
            broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
        }
    }

    /** How clients talk to the brokers. */
    enum Security {
        PLAINTEXT,
        SSL,
        SASL_PLAINTEXT,
        SASL_SSL
    }

    /** How often an empty cluster is started. */
    enum Fresh {
        TRIAL,
        RUN
    }
}
