package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.start.ExternalCluster;
import weir.plan.Plans;
import weir.plan.Variant;

/** Operations that a given cluster with the brokers 0, 1 and 2 cannot carry out. */
class GivenClusterCheckTest {
    private static final String GIVEN = "cluster: { bootstrap: \"h:1\" }\ntopics: { t: { replication: %d } }\n"
            + "load: { rate: 1k/s }\nmeasure: 20s\nduring: { x: { at: 1s, %s } }";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2 | reassign: { topic: t, brokers: [0, 3] } | there is no broker 3; the brokers are 0, 1, 2
                    2 | reassign: { topic: t, brokers: [0, 2] } |
                    2 | drain: { broker: 7 }                    | there is no broker 7; the brokers are 0, 1, 2
                    2 | drain: { broker: 0 }                    |
                    3 | drain: { broker: 0 }                    | leaves 2 brokers for 3 replicas of a partition; write a smaller replication of the topics
                    3 | elect: preferred                        |
                    3 | for: 10s, observe: brokers              |
                    """)
    void operationForWhichTheClusterLacksBrokersIsRefused(int replication, String operation, String message) {
        Variant variant = Plans.only(GIVEN.formatted(replication, operation));
        Cluster cluster = new ExternalCluster(
                "h:1",
                new TreeMap<>(),
                "id",
                "4.4.0",
                IntStream.range(0, 3)
                        .mapToObj(id -> new Broker(id, "h:" + (id + 1), "", "", -1, Path.of(""), Path.of("")))
                        .toList());
        assertThat(OperationCheck.refused(
                        (OperationSpec) Objects.requireNonNull(variant.during().get("x")), variant, cluster))
                .isEqualTo(message == null ? List.of() : List.of(message));
    }
}
