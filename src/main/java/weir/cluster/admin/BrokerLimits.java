package weir.cluster.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;

/** The brokers' limits on client requests. */
public final class BrokerLimits {
    private static final StartTimeouts PATIENCE = StartTimeouts.of(Duration.ofSeconds(15));

    private BrokerLimits() {}

    /** Returns why the cluster has no share groups; empty if it has, or if it does not report its features. */
    public static Optional<String> withoutShareGroups(Cluster cluster) {
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), PATIENCE)) {
            int level = answers.feature("share.version");
            return level > 0
                    ? Optional.empty()
                    : Optional.of("'share' requires the feature share.version at level 1 or higher, found " + level
                            + "; on Kafka 4.2.0 or later run kafka-features.sh --bootstrap-server "
                            + cluster.bootstrap() + " upgrade --feature share.version=1");
        } catch (KafkaException untold) {
            return Optional.empty();
        }
    }

    /** The lowest {@code transaction.max.timeout.ms} of all brokers; empty if they do not report it. */
    public static OptionalLong transactionTimeoutMillis(Cluster cluster) {
        try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), PATIENCE)) {
            DescribedConfigs configs = new DescribedConfigs(answers);
            return cluster.brokers().stream()
                    .flatMap(broker -> configs.of(broker, cluster).stream())
                    .filter(property -> property.name().equals("transaction.max.timeout.ms"))
                    .mapToLong(property -> Long.parseLong(property.effective()))
                    .min();
        } catch (KafkaException untold) {
            return OptionalLong.empty();
        }
    }
}
