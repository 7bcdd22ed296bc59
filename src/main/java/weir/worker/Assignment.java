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
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;

/**
 * The task of one worker in one trial. Its property maps hold resolved secrets: never write them down.
 *
 * @param trial the number of the trial, from 1
 * @param worker the number of this worker, from 0
 * @param runTag marks our records among others
 * @param originNanos second 0 of all windows and readings
 * @param client the properties that any client needs to connect, {@code bootstrap.servers} included
 * @param producer the producer properties of the load, without those of {@code client}; by HTTP its {@link #TOKEN}
 * @param consumer the consumer properties of the load, without those of {@code client}
 * @param topics names on the cluster by name in the plan; only those of the load
 * @param servers URLs of the servers for a load by HTTP; empty for any other load
 * @param delivery of events that are received by HTTP
 * @param group the group's name on the cluster, and how transactional ids begin; empty where neither is needed
 * @param folder where the experiment's relative paths begin
 * @param cuts the beginnings and ends of disturbances, after the beginning of the measured phase
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
        EventDelivery delivery,
        String group,
        String folder,
        List<Duration> cuts,
        ResolvedSecrets secrets) {
    /** The key that replaces the producer properties of a load by HTTP, which has none. */
    public static final String TOKEN = "token";

    public Assignment {
        if (workers < 1 || worker < 0 || worker >= workers) {
            throw new IllegalArgumentException("there is no worker " + worker + " of " + workers);
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
        cuts = List.copyOf(cuts);
    }

    public Steps parts() {
        SortedSet<Long> nanos = new TreeSet<>();
        cuts.forEach(cut -> nanos.add(cut.toNanos()));
        return LoadPlan.parts(variant.load(), variant.measure(), nanos);
    }

    public Assignment of(int worker, int workers) {
        return new Assignment(
                variant,
                trial,
                worker,
                workers,
                runTag,
                seed,
                originNanos,
                client,
                producer,
                consumer,
                topics,
                servers,
                delivery,
                group,
                folder,
                cuts,
                secrets);
    }

    /**
     * The path of events to their HTTP receiver.
     *
     * @param listen HOST:PORT of the receiver; empty if no events are received by HTTP
     * @param holders URLs of the processes that hold events and report how many; empty if none does
     * @param inMemory true if events are lost when their holder ends
     * @param foreign true if the path is not Weir's, so that no process reports the events in it
     * @param deadLetters the topic on the cluster that dead letters are written to; empty for none
     * @param token of the receiver, resolved; empty for none
     */
    public record EventDelivery(
            String listen, List<String> holders, boolean inMemory, boolean foreign, String deadLetters, String token) {
        public static final EventDelivery NONE = new EventDelivery("", List.of(), false, false, "", "");

        public EventDelivery {
            holders = List.copyOf(holders);
        }

        // The generated text would hold the token.
        @Override
        public String toString() {
            return "events to " + listen;
        }
    }

    // The generated text would hold the secrets.
    @Override
    public String toString() {
        return "worker " + worker + " of " + workers + " in trial " + trial;
    }
}
