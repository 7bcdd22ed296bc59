package weir.worker;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import weir.load.LoadPlan;
import weir.measure.Steps;
import weir.plan.RecordKeys;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;

/**
 * The task of one worker in one trial. The property maps contain resolved secrets: never write them to a file or log.
 *
 * @param trial the number of the trial, from 1
 * @param worker the number of this worker, from 0
 * @param originNanos the time of second 0 of all windows and readings
 * @param client the properties with which any client connects, including {@code bootstrap.servers}
 * @param producer the producer properties of the load, without those of {@code client}
 * @param consumer the consumer properties of the load, without those of {@code client}
 * @param topics the names of the load's topics on the cluster, by their names in the plan
 * @param servers the URLs of the servers that receive the load; empty for Kafka
 * @param receiving the path of messages to a receiver with another protocol than Kafka's
 * @param tokens the resolved secrets of the load's parts, by their keys
 * @param group the group's name on the cluster, and the prefix of transactional ids; empty if neither is needed
 * @param folder the folder to which relative paths in the experiment refer
 * @param cuts the times when disturbances start and end, from the start of the measured phase
 * @param secrets the values that the worker never shows
 */
public record Assignment(
        Variant variant,
        int trial,
        int worker,
        int workers,
        int runTag,
        long seed,
        long originNanos,
        SortedMap<String, String> client,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        SortedMap<String, List<String>> topics,
        List<String> servers,
        Receiving receiving,
        SortedMap<String, String> tokens,
        String group,
        String folder,
        List<Duration> cuts,
        ResolvedSecrets secrets) {
    public Assignment {
        if (workers < 1 || worker < 0 || worker >= workers) {
            throw new IllegalArgumentException("worker " + worker + " is not one of " + workers);
        }
        client = Collections.unmodifiableSortedMap(new TreeMap<>(client));
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
        SortedMap<String, List<String>> copy = new TreeMap<>();
        for (Map.Entry<String, List<String>> topic : topics.entrySet()) {
            copy.put(topic.getKey(), List.copyOf(topic.getValue()));
        }
        topics = Collections.unmodifiableSortedMap(copy);
        servers = List.copyOf(servers);
        tokens = Collections.unmodifiableSortedMap(new TreeMap<>(tokens));
        cuts = List.copyOf(cuts);
    }

    public Steps parts() {
        SortedSet<Long> nanos = new TreeSet<>();
        cuts.forEach(cut -> nanos.add(cut.toNanos()));
        return LoadPlan.parts(variant.load(), variant.measure(), nanos);
    }

    public Assignment of(int worker, int workers) {
        // In this order, because the constructor refuses a worker beyond the last one.
        Assignment ofAll = RecordKeys.with(this, Map.of("workers", workers));
        return RecordKeys.with(ofAll, Map.of("worker", worker));
    }

    /**
     * The path of messages to a receiver with another protocol than Kafka's.
     *
     * @param listen HOST:PORT of the receiver; empty without a receiver
     * @param holders the URLs of the processes that store messages and report their number; may be empty
     * @param inMemory true if messages are lost with the process that stores them
     * @param foreign true if Weir did not start the processes on the path, so that none reports its messages
     * @param deadLetters the topic of dead letters on the cluster; empty for none
     */
    public record Receiving(
            String listen, List<String> holders, boolean inMemory, boolean foreign, String deadLetters) {
        public static final Receiving NONE = new Receiving("", List.of(), false, false, "");

        public Receiving {
            holders = List.copyOf(holders);
        }
    }

    // The generated text would contain the secrets.
    @Override
    public String toString() {
        return "worker " + worker + " of " + workers + " in trial " + trial;
    }
}
