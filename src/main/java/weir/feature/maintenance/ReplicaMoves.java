package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * New replica lists of partitions. Each partition keeps its number of replicas.
 *
 * @param now the replica lists before the move, each with the preferred leader first
 */
record ReplicaMoves(Map<TopicPartition, List<Integer>> now) {
    /** Places all partitions on these brokers. Leaders spread evenly. */
    Map<TopicPartition, List<Integer>> onto(List<Integer> brokers) {
        Map<TopicPartition, List<Integer>> moved = new LinkedHashMap<>();
        now.forEach((partition, replicas) -> {
            int first = partition.partition();
            moved.put(
                    partition,
                    IntStream.range(first, first + replicas.size())
                            .mapToObj(number -> brokers.get(number % brokers.size()))
                            .toList());
        });
        return moved;
    }

    /** Replaces a broker in all lists by the broker with the fewest replicas that is not in the list. */
    Map<TopicPartition, List<Integer>> awayFrom(int broker, Collection<Integer> brokers) {
        Map<Integer, Long> load = now.values().stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(id -> id, TreeMap::new, Collectors.counting()));
        brokers.forEach(known -> load.putIfAbsent(known, 0L));
        load.remove(broker);
        Map<TopicPartition, List<Integer>> moved = new LinkedHashMap<>();
        now.forEach((partition, before) -> {
            List<Integer> replicas = new ArrayList<>(before);
            int place = replicas.indexOf(broker);
            if (place >= 0) {
                int other = load.entrySet().stream()
                        .filter(each -> !replicas.contains(each.getKey()))
                        .min(Map.Entry.comparingByValue())
                        .orElseThrow(
                                () -> new IllegalStateException("no other broker can take a replica of " + partition))
                        .getKey();
                load.merge(other, 1L, Long::sum);
                replicas.set(place, other);
                moved.put(partition, replicas);
            }
        });
        return moved;
    }

    /**
     * Moves as few replicas as possible until the brokers' numbers of replicas differ by at most one, within each
     * topic and in total.
     */
    Map<TopicPartition, List<Integer>> evenly(Collection<Integer> brokers) {
        List<Placed> all = now.entrySet().stream()
                .map(each -> new Placed(each.getKey(), new ArrayList<>(each.getValue())))
                .toList();
        Map<String, List<Placed>> topics = all.stream()
                .collect(
                        Collectors.groupingBy(placed -> placed.partition().topic(), TreeMap::new, Collectors.toList()));
        topics.values().forEach(topic -> level(topic, all, topics, brokers));
        level(all, all, topics, brokers);
        Map<TopicPartition, List<Integer>> moved = new LinkedHashMap<>();
        all.stream()
                .filter(placed -> !placed.replicas().equals(now.get(placed.partition())))
                .forEach(placed -> moved.put(placed.partition(), placed.replicas()));
        return moved;
    }

    /** A partition during the computation of its new list, which is mutable. */
    private record Placed(TopicPartition partition, List<Integer> replicas) {
        boolean on(int broker) {
            return replicas.contains(broker);
        }

        boolean ledBy(int broker) {
            return replicas.get(0) == broker;
        }
    }

    /** Moves single replicas from the broker with the most to the broker with the fewest, within this scope. */
    private static void level(
            List<Placed> scope, List<Placed> all, Map<String, List<Placed>> topics, Collection<Integer> brokers) {
        Comparator<Integer> load = Comparator.<Integer>comparingLong(broker -> replicas(scope, broker))
                .thenComparingLong(broker -> replicas(all, broker));
        while (true) {
            int from = Collections.max(brokers, load);
            int to = Collections.min(brokers, load);
            if (replicas(scope, from) - replicas(scope, to) < 2) {
                return;
            }
            Function<Placed, List<Placed>> topic =
                    placed -> topics.getOrDefault(placed.partition().topic(), List.of());
            List<Placed> movable = scope.stream()
                    .filter(placed -> placed.on(from) && !placed.on(to))
                    .filter(placed -> replicas(topic.apply(placed), from) > replicas(topic.apply(placed), to))
                    .toList();
            movable.stream()
                    .filter(placed ->
                            placed.ledBy(from) == (led(topic.apply(placed), from) > led(topic.apply(placed), to) + 1))
                    .findFirst()
                    .orElse(movable.get(0))
                    .replicas()
                    .replaceAll(broker -> broker == from ? to : broker);
        }
    }

    private static long replicas(List<Placed> scope, int broker) {
        return scope.stream().filter(placed -> placed.on(broker)).count();
    }

    private static long led(List<Placed> scope, int broker) {
        return scope.stream().filter(placed -> placed.ledBy(broker)).count();
    }
}
