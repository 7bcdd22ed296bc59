package weir.feature.rehearsal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import weir.plan.ClusterSpec;
import weir.plan.Releases;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.check.Checks;
import weir.plan.check.VariantCheck;
import weir.plan.syntax.ProblemSpot;

/** The checks of operations against the cluster, the topics and the load of their variant. */
final class OperationCheck implements VariantCheck {
    /** Kafka's own topics have this number of replicas, or one per broker on fewer brokers. */
    private static final int INTERNAL_REPLICAS = 3;

    @Override
    public void check(ProblemSpot spot, Variant variant) {
        if (!variant.cluster().startedByWeir()) {
            return;
        }
        variant.during().forEach((name, what) -> {
            if (what instanceof OperationSpec operation) {
                String path = "during." + name;
                List<String> wrong = new ArrayList<>();
                check(operation, variant, wrong::add);
                wrong.forEach(message -> spot.wrong(path, message));
                if (wrong.isEmpty()) {
                    new ThrottleCheck(variant, operation).check(spot, path);
                }
                if (variant.load().rate().timed() || variant.measure().counted()) {
                    spot.wrong(
                            path,
                            "requires one rate and a measure of time, because the measured phase ends with the"
                                    + " operation; write load: { rate: 1k/s }");
                }
            }
        });
    }

    private static void check(OperationSpec what, Variant variant, Consumer<String> wrong) {
        ClusterSpec cluster = variant.cluster();
        int brokers = cluster.brokers().size();
        if (what instanceof OperationSpec.Restart restart && !restart.each()) {
            restart.brokers().stream()
                    .filter(broker -> !broker.matches("[1-9][0-9]{0,3}") || Integer.parseInt(broker) > brokers)
                    .findFirst()
                    .ifPresent(broker -> wrong.accept("there is no broker '" + broker + "'; the brokers are 1 to "
                            + brokers + ", or write each"));
        }
        if (what instanceof OperationSpec.Upgrade upgrade && Releases.compare(upgrade.to(), cluster.kafka()) < 0) {
            wrong.accept("must be an upgrade: cluster.kafka is " + cluster.kafka() + ", found 'to: " + upgrade.to()
                    + "'; write a release that is not older");
        }
        int all = brokers + variant.addedBrokers();
        if (what instanceof OperationSpec.Add && all > Checks.MOST_BROKERS) {
            wrong.accept("makes " + all + " brokers; must be at most " + Checks.MOST_BROKERS
                    + " with those of cluster.brokers");
        }
        if (what instanceof OperationSpec.Reassign move) {
            reassign(move, variant, brokers, wrong);
        }
        if (what instanceof OperationSpec.Drain drain) {
            int replicas = variant.topics().values().stream()
                    .mapToInt(TopicSpec::replication)
                    .max()
                    .orElse(1);
            int most = Math.max(replicas, Math.min(INTERNAL_REPLICAS, brokers));
            if (drain.broker() > brokers) {
                wrong.accept("there is no broker " + drain.broker() + "; the brokers are 1 to " + brokers);
            } else if (brokers - 1 < most) {
                wrong.accept("leaves " + (brokers - 1) + " brokers for " + most
                        + " replicas of a partition; write at least cluster: { brokers: " + (most + 1) + " }");
            }
        }
    }

    private static void reassign(OperationSpec.Reassign move, Variant variant, int brokers, Consumer<String> wrong) {
        TopicSpec topic = variant.topics().get(move.topic());
        if (topic == null) {
            wrong.accept("there is no topic '" + move.topic() + "'; the topics are "
                    + String.join(", ", variant.topics().keySet()));
            return;
        }
        move.brokers().stream()
                .filter(broker -> broker < 1 || broker > brokers)
                .findFirst()
                .ifPresent(
                        broker -> wrong.accept("there is no broker " + broker + "; the brokers are 1 to " + brokers));
        if (move.brokers().stream().distinct().count() < topic.replication()) {
            wrong.accept("has " + move.brokers().size() + " brokers for " + topic.replication()
                    + " replicas of each partition; add brokers");
        }
    }
}
