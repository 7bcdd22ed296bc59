package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.TopicSpec;

class ReplicaMovesTest {
    private static final int CASES = 300;

    private final Random random = new Random(1);

    private static List<Integer> brokers(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    private static Map<TopicPartition, List<Integer>> after(
            Map<TopicPartition, List<Integer>> now, Map<TopicPartition, List<Integer>> moves) {
        Map<TopicPartition, List<Integer>> after = new LinkedHashMap<>(now);
        after.putAll(moves);
        return after;
    }

    private static int difference(List<Integer> brokers, ToIntFunction<Integer> count) {
        var counts = brokers.stream().mapToInt(count).summaryStatistics();
        return counts.getMax() - counts.getMin();
    }

    private static int replicas(Map<TopicPartition, List<Integer>> lists, int broker) {
        return (int)
                lists.values().stream().filter(list -> list.contains(broker)).count();
    }

    private static int led(Map<TopicPartition, List<Integer>> lists, int broker) {
        return (int)
                lists.values().stream().filter(list -> list.get(0) == broker).count();
    }

    private static int moved(Map<TopicPartition, List<Integer>> now, Map<TopicPartition, List<Integer>> after) {
        return after.entrySet().stream()
                .mapToInt(each -> (int) each.getValue().stream()
                        .filter(broker ->
                                !now.getOrDefault(each.getKey(), List.of()).contains(broker))
                        .count())
                .sum();
    }

    /** The fewest moves after which the numbers of replicas differ by at most one. */
    private static int fewest(Map<TopicPartition, List<Integer>> now, List<Integer> brokers) {
        int all = now.values().stream().mapToInt(List::size).sum();
        int floor = all / brokers.size();
        int ceiling = (all + brokers.size() - 1) / brokers.size();
        return Math.max(
                brokers.stream()
                        .mapToInt(broker -> Math.max(0, replicas(now, broker) - ceiling))
                        .sum(),
                brokers.stream()
                        .mapToInt(broker -> Math.max(0, floor - replicas(now, broker)))
                        .sum());
    }

    private static Map<TopicPartition, List<Integer>> topic(Map<TopicPartition, List<Integer>> lists, String topic) {
        Map<TopicPartition, List<Integer>> own = new LinkedHashMap<>(lists);
        own.keySet().removeIf(partition -> !partition.topic().equals(topic));
        return own;
    }

    private Map<TopicPartition, List<Integer>> anyPlacement(int topics, int brokers) {
        Map<TopicPartition, List<Integer>> now = new LinkedHashMap<>();
        for (int topic = 0; topic < topics; topic++) {
            int copies = 1 + random.nextInt(brokers);
            int partitions = 1 + random.nextInt(12);
            for (int number = 0; number < partitions; number++) {
                List<Integer> order = new ArrayList<>(brokers(brokers));
                Collections.shuffle(order, random);
                now.put(new TopicPartition("t" + topic, number), List.copyOf(order.subList(0, copies)));
            }
        }
        return now;
    }

    @Test
    void evenPlacementKeepsTheReplicasOfEachPartitionAndIsEvenInEachTopicAndInTotal() {
        for (int i = 0; i < CASES; i++) {
            int few = 1 + random.nextInt(4);
            List<Integer> brokers = brokers(few + random.nextInt(3));
            Map<TopicPartition, List<Integer>> now = anyPlacement(1 + random.nextInt(4), few);
            Map<TopicPartition, List<Integer>> moves = new ReplicaMoves(now).evenly(brokers);
            Map<TopicPartition, List<Integer>> after = after(now, moves);
            assertThat(moves)
                    .allSatisfy((partition, list) -> assertThat(list)
                            .doesNotHaveDuplicates()
                            .hasSameSizeAs(now.get(partition))
                            .isNotEqualTo(now.get(partition)));
            assertThat(difference(brokers, broker -> replicas(after, broker)))
                    .as(now + " to " + after)
                    .isLessThanOrEqualTo(1);
            for (String topic : List.of("t0", "t1", "t2", "t3")) {
                assertThat(difference(brokers, broker -> replicas(topic(after, topic), broker)))
                        .as(topic + " of " + now + " to " + after)
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void evenPlacementOfATopicMovesAsFewReplicasAsPossible() {
        for (int i = 0; i < CASES; i++) {
            int few = 1 + random.nextInt(4);
            List<Integer> brokers = brokers(few + random.nextInt(3));
            Map<TopicPartition, List<Integer>> now = anyPlacement(1, few);
            assertThat(moved(now, after(now, new ReplicaMoves(now).evenly(brokers))))
                    .as(String.valueOf(now))
                    .isEqualTo(fewest(now, brokers));
        }
    }

    /** A topic that Kafka has placed itself: leaders and followers rotate. */
    @ParameterizedTest
    @CsvSource({
        "2, 3, 12, 1",
        "2, 3, 12, 2",
        "2, 3, 4, 2",
        "3, 4, 12, 3",
        "3, 5, 50, 3",
        "3, 4, 7, 2",
        "1, 2, 6, 1",
        "4, 5, 9, 3"
    })
    void evenPlacementSpreadsLeaders(int few, int many, int partitions, int copies) {
        TopicSpec spec = new TopicSpec(partitions, copies, brokers(few), 1, false, Collections.emptySortedMap());
        Map<TopicPartition, List<Integer>> now = new LinkedHashMap<>();
        IntStream.range(0, partitions)
                .forEach(number -> now.put(new TopicPartition("t", number), spec.replicas(number)));
        Map<TopicPartition, List<Integer>> after = after(now, new ReplicaMoves(now).evenly(brokers(many)));
        assertThat(difference(brokers(many), broker -> led(after, broker)))
                .as(String.valueOf(after))
                .isLessThanOrEqualTo(1);
    }

    @Test
    void drainReplacesTheBrokerInPlaceByTheBrokerWithTheFewestReplicas() {
        Map<TopicPartition, List<Integer>> now = Map.of(
                new TopicPartition("t", 0), List.of(3, 1),
                new TopicPartition("t", 1), List.of(1, 2));
        assertThat(new ReplicaMoves(now).awayFrom(3, brokers(4)))
                .isEqualTo(Map.of(new TopicPartition("t", 0), List.of(4, 1)));
    }
}
