package weir.plan;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Kafka under test. */
public sealed interface ClusterSpec {
    /** Client properties for everyone who connects, secret references unresolved. */
    SortedMap<String, String> client();

    /** A cluster that is started here. An empty {@code data} or {@code java} path means ours. */
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
            Limits within,
            SortedMap<String, String> broker,
            Fresh fresh,
            SortedMap<String, String> client)
            implements ClusterSpec {
        public Embedded {
            brokers = List.copyOf(brokers);
            jvm = List.copyOf(jvm);
            features = Collections.unmodifiableSortedMap(new TreeMap<>(features));
            broker = Collections.unmodifiableSortedMap(new TreeMap<>(broker));
            client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
        }
    }

    /** A cluster that is there already; {@code bootstrap} is addresses, and nothing but a comma between them. */
    record External(String bootstrap, SortedMap<String, String> client, List<Path> classpath, List<String> metrics)
            implements ClusterSpec {
        public External {
            bootstrap = Stream.of(bootstrap.split(",", -1))
                    .map(String::strip)
                    .filter(address -> !address.isEmpty())
                    .collect(Collectors.joining(","));
            client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
            classpath = List.copyOf(classpath);
            metrics = List.copyOf(metrics);
        }
    }

    /** What one broker has of its own. An empty rack means none, an empty data path the cluster's. */
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
