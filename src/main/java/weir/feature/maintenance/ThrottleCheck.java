package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import weir.plan.LoadSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;
import weir.plan.trial.Demand;

/**
 * The check that a throttled move ends. New replicas must catch up with the load. Kafka also counts the traffic of the
 * topic's replicas in sync against the throttle.
 */
record ThrottleCheck(Variant variant, OperationSpec operation) {
    private static final double ROUNDED = 10_000;

    /** Between the name in the plan and a number. No name has it. */
    private static final String SEPARATOR = "#";

    void check(ProblemSpot spot, String path) {
        long throttle = operation.throttle().bytes();
        double least = throttle == 0 ? 0 : Math.ceil(replicated() / ROUNDED) * ROUNDED;
        if (throttle <= least && least > 0) {
            String form = operation.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            spot.wrong(
                    path + "." + form + ".throttle",
                    "must be above " + text(least) + ", because one broker replicates that much of the load; found '"
                            + text((double) throttle) + "'");
        }
    }

    private static String text(double bytesPerSecond) {
        return new Rate(bytesPerSecond, Rate.Unit.BYTES).text();
    }

    /** The highest bytes per second that one broker of the move receives or sends; 0 if unknown. */
    private double replicated() {
        Map<TopicPartition, List<Integer>> now = new LinkedHashMap<>();
        Map<TopicPartition, Double> written = new LinkedHashMap<>();
        place(now, written);
        Map<TopicPartition, List<Integer>> moves = moves(now);
        Map<Integer, Double> in = new TreeMap<>();
        Map<Integer, Double> out = new TreeMap<>();
        Set<Integer> receiving = new HashSet<>();
        Set<Integer> sending = new HashSet<>();
        Set<String> moving = moves.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
        now.keySet().removeIf(partition -> !moving.contains(partition.topic()));
        now.forEach((partition, before) -> {
            double bytes = written.getOrDefault(partition, 0.0);
            int leader = before.get(0);
            List<Integer> after = moves.getOrDefault(partition, before);
            List<Integer> added =
                    after.stream().filter(broker -> !before.contains(broker)).toList();
            after.stream().filter(broker -> broker != leader).forEach(broker -> in.merge(broker, bytes, Double::sum));
            out.merge(leader, bytes * (before.size() - 1 + added.size()), Double::sum);
            if (!added.isEmpty()) {
                receiving.addAll(added);
                sending.add(leader);
            }
        });
        in.keySet().retainAll(receiving);
        out.keySet().retainAll(sending);
        return Stream.of(in, out)
                .flatMap(each -> each.values().stream())
                .mapToDouble(bytes -> bytes)
                .max()
                .orElse(0);
    }

    private Map<TopicPartition, List<Integer>> moves(Map<TopicPartition, List<Integer>> now) {
        List<Integer> brokers = numbers(variant.cluster().brokers().size());
        if (operation instanceof OperationSpec.Reassign move) {
            Map<TopicPartition, List<Integer>> own = new LinkedHashMap<>(now);
            own.keySet().removeIf(partition -> !partition.topic().startsWith(move.topic() + SEPARATOR));
            return new ReplicaMoves(own).onto(move.brokers());
        }
        if (operation instanceof OperationSpec.Drain drain) {
            return new ReplicaMoves(now).awayFrom(drain.broker(), brokers);
        }
        return operation instanceof OperationSpec.Add add && add.move() == OperationSpec.Move.EVEN
                ? new ReplicaMoves(now).evenly(numbers(brokers.size() + add.brokers()))
                : Map.of();
    }

    private static List<Integer> numbers(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    /** Places topics as Kafka does: leaders and followers rotate over the brokers. */
    private void place(Map<TopicPartition, List<Integer>> now, Map<TopicPartition, Double> written) {
        LoadSpec load = variant.load();
        Set<String> loaded = load.workload() == LoadSpec.Workload.STREAM
                ? Set.of(load.stream().to())
                : variant.usedTopics().keySet();
        int topics = variant.topics().entrySet().stream()
                .filter(topic -> loaded.contains(topic.getKey()))
                .mapToInt(topic -> topic.getValue().count())
                .sum();
        List<Integer> brokers =
                new ArrayList<>(numbers(variant.cluster().brokers().size()));
        variant.topics().forEach((name, topic) -> {
            for (TopicPartition partition : partitions(name, topic)) {
                if (partition.partition() == 0) {
                    Collections.rotate(brokers, 1);
                }
                TopicSpec placed = topic.brokers().isEmpty()
                        ? new TopicSpec(topic.partitions(), topic.replication(), brokers, 1, false, topic.config())
                        : topic;
                now.put(partition, placed.replicas(partition.partition()));
                if (loaded.contains(name)) {
                    written.put(partition, bytesPerSecond() / topics / topic.partitions());
                }
            }
        });
    }

    private static List<TopicPartition> partitions(String name, TopicSpec topic) {
        return IntStream.range(0, topic.count())
                .boxed()
                .flatMap(number -> IntStream.range(0, topic.partitions())
                        .mapToObj(partition -> new TopicPartition(name + SEPARATOR + number, partition)))
                .toList();
    }

    /** The bytes that the load writes before replication; 0 if its rate or its compression leaves them unknown. */
    private double bytesPerSecond() {
        LoadSpec load = variant.load();
        boolean compressed = !load.producers()
                .properties()
                .getOrDefault("compression.type", "none")
                .equals("none");
        double rate = load.rate().mean(load.senders(), RateSpec.NEVER);
        return compressed || load.workload() == LoadSpec.Workload.CONSUME || Double.isNaN(rate)
                ? 0
                : rate * Demand.records(variant) * load.senders().meanBytes();
    }
}
