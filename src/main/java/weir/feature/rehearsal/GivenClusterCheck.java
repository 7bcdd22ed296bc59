package weir.feature.rehearsal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.cluster.admin.ReplicationThrottle;
import weir.plan.TopicSpec;
import weir.plan.Variant;

/** The checks of operations on a cluster that Weir did not start, where only topics that Weir creates change. */
final class GivenClusterCheck {
    private static final StartTimeouts PATIENCE = StartTimeouts.of(Duration.ofSeconds(15));

    private GivenClusterCheck() {}

    /** The topics of a variant that Weir creates. */
    static Stream<String> own(Variant variant) {
        return variant.topics().entrySet().stream()
                .filter(topic -> !topic.getValue().existing())
                .map(Map.Entry::getKey);
    }

    static void topics(OperationSpec what, Variant variant, Consumer<String> wrong) {
        if (what instanceof OperationSpec.Reassign move) {
            TopicSpec topic = variant.topics().get(move.topic());
            if (topic != null && topic.existing()) {
                wrong.accept("moves only topics that Weir creates, and topic '" + move.topic()
                        + "' has existing: true; name another topic");
            } else {
                OperationCheck.topic(move, variant, wrong);
            }
        }
        if ((what instanceof OperationSpec.Drain || what instanceof OperationSpec.Elect)
                && own(variant).findAny().isEmpty()) {
            wrong.accept("changes only topics that Weir creates, and all topics have existing: true; add a topic");
        }
    }

    /** The reasons why a running cluster cannot carry out the operation. */
    static List<String> refused(OperationSpec what, Variant variant, Cluster cluster) {
        List<String> refused = new ArrayList<>();
        List<Integer> brokers =
                cluster.brokers().stream().map(Broker::id).sorted().toList();
        OperationCheck.brokers(what, variant, brokers, refused::add);
        if (what.throttle().bytes() > 0) {
            try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), PATIENCE)) {
                ReplicationThrottle.existing(answers)
                        .ifPresent(set -> refused.add("would change the throttle of somebody else: " + set
                                + "; remove that setting after its move of partitions, or write throttle: 0B/s"));
            } catch (KafkaException e) {
                refused.add("the throttles of the cluster are unknown: " + e.getMessage()
                        + "; use a principal with DESCRIBE_CONFIGS on the cluster and its topics");
            }
        }
        return refused;
    }
}
