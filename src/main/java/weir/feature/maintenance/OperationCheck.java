package weir.feature.maintenance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.AdminAnswers;
import weir.cluster.admin.ReplicationThrottle;
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

    private static final StartTimeouts TIMEOUT = StartTimeouts.of(Duration.ofSeconds(15));

    @Override
    public void check(ProblemSpot spot, Variant variant) {
        variant.during().forEach((name, what) -> {
            if (what instanceof OperationSpec operation) {
                String path = "during." + name;
                List<String> wrong = new ArrayList<>();
                if (variant.cluster().startedByWeir()) {
                    check(operation, variant, wrong::add);
                } else {
                    checkOwn(operation, variant, wrong::add);
                }
                if (operation instanceof OperationSpec.Observe
                        && operation.length().isZero()) {
                    wrong.add("requires a duration; write for: 30m");
                }
                wrong.forEach(message -> spot.wrong(path, message));
                if (wrong.isEmpty() && variant.cluster().startedByWeir()) {
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
        String before = what.releaseBefore(variant);
        if (what instanceof OperationSpec.Upgrade && Releases.compare(what.release(), before) < 0) {
            wrong.accept("must be an upgrade: the brokers run " + before + ", found 'to: " + what.release()
                    + "'; write a release that is not older, or downgrade");
        }
        if (what instanceof OperationSpec.Downgrade) {
            String level = what.levelBefore(variant);
            if (Releases.compare(what.release(), before) >= 0) {
                wrong.accept("must be a downgrade: the brokers run " + before + ", found 'to: " + what.release()
                        + "'; write an older release, or upgrade");
            } else if (Releases.compare(what.release(), level) < 0) {
                wrong.accept("must be at least " + level + ", because older brokers do not start with the features of"
                        + " this release, found 'to: " + what.release()
                        + "'; write finalize: false in the upgrade before it");
            }
        }
        int all = brokers + variant.addedBrokers();
        if (what instanceof OperationSpec.Add && all > Checks.MOST_BROKERS) {
            wrong.accept("makes " + all + " brokers; must be at most " + Checks.MOST_BROKERS
                    + " with those of cluster.brokers");
        }
        if (what instanceof OperationSpec.Reassign move) {
            topic(move, variant, wrong);
        }
        brokers(what, variant, IntStream.rangeClosed(1, brokers).boxed().toList(), wrong);
    }

    /** The topics of a variant that Weir creates. */
    static Stream<String> own(Variant variant) {
        return variant.topics().entrySet().stream()
                .filter(topic -> !topic.getValue().existing())
                .map(Map.Entry::getKey);
    }

    /** Checks an operation on a cluster that Weir did not start, where only topics that Weir creates change. */
    private static void checkOwn(OperationSpec what, Variant variant, Consumer<String> wrong) {
        if (what instanceof OperationSpec.Reassign move) {
            TopicSpec topic = variant.topics().get(move.topic());
            if (topic != null && topic.existing()) {
                wrong.accept("moves only topics that Weir creates, and topic '" + move.topic()
                        + "' has existing: true; name another topic");
            } else {
                topic(move, variant, wrong);
            }
        }
        if ((what instanceof OperationSpec.Drain || what instanceof OperationSpec.Elect)
                && own(variant).findAny().isEmpty()) {
            wrong.accept("changes only topics that Weir creates, and all topics have existing: true; add a topic");
        }
    }

    private static void topic(OperationSpec.Reassign move, Variant variant, Consumer<String> wrong) {
        TopicSpec topic = variant.topics().get(move.topic());
        if (topic == null) {
            wrong.accept("there is no topic '" + move.topic() + "'; the topics are "
                    + String.join(", ", variant.topics().keySet()));
        } else if (move.brokers().stream().distinct().count() < topic.replication()) {
            wrong.accept("has " + move.brokers().size() + " brokers for " + topic.replication()
                    + " replicas of each partition; add brokers");
        }
    }

    /** Checks the brokers of an operation against those of the cluster. */
    private static void brokers(OperationSpec what, Variant variant, List<Integer> brokers, Consumer<String> wrong) {
        List<Integer> named = what instanceof OperationSpec.Reassign move
                ? move.brokers()
                : what instanceof OperationSpec.Drain drain ? List.of(drain.broker()) : List.of();
        Optional<Integer> missing =
                named.stream().filter(broker -> !brokers.contains(broker)).findFirst();
        if (missing.isPresent()) {
            wrong.accept("there is no broker " + missing.get() + "; the brokers are "
                    + brokers.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        } else if (what instanceof OperationSpec.Drain) {
            boolean started = variant.cluster().startedByWeir();
            int replicas = variant.topics().values().stream()
                    .filter(topic -> !topic.existing())
                    .mapToInt(TopicSpec::replication)
                    .max()
                    .orElse(1);
            int most = started ? Math.max(replicas, Math.min(INTERNAL_REPLICAS, brokers.size())) : replicas;
            if (brokers.size() - 1 < most) {
                wrong.accept("leaves " + (brokers.size() - 1) + " brokers for " + most + " replicas of a partition; "
                        + (started
                                ? "write at least cluster: { brokers: " + (most + 1) + " }"
                                : "write a smaller replication of the topics"));
            }
        }
    }

    /** The reasons why a running cluster cannot carry out the operation. */
    static List<String> refused(OperationSpec what, Variant variant, Cluster cluster) {
        List<String> refused = new ArrayList<>();
        List<Integer> brokers =
                cluster.brokers().stream().map(Broker::id).sorted().toList();
        brokers(what, variant, brokers, refused::add);
        if (what.throttle().bytes() > 0) {
            try (AdminAnswers answers = new AdminAnswers(cluster.clientProperties(), TIMEOUT)) {
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
