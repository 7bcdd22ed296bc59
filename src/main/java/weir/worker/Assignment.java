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
 * The task of one worker in one trial. Its property maps hold secrets, resolved: never to be written down.
 *
 * @param trial the number of the trial, from 1
 * @param worker which of the workers this is, from 0
 * @param runTag marks our records among others
 * @param originNanos second 0 of all windows and readings
 * @param client what any client needs to connect, {@code bootstrap.servers} included
 * @param producer the producer properties of the load, without those of {@code client}; of one by HTTP its {@link #TOKEN}
 * @param consumer the consumer properties of the load, without those of {@code client}
 * @param topics names on the cluster by name in the plan; only those of the load
 * @param servers URLs of those that a load by HTTP is sent to; empty for any other
 * @param delivery of events that are received by HTTP
 * @param group the group's name on the cluster, and how transactional ids begin; empty where neither is needed
 * @param folder where the experiment's relative paths begin
 * @param cuts the beginnings and ends of disturbances, after the beginning of the measured phase
 * @param secrets what the worker never tells
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
    /** In the place of the properties of a load by HTTP, which has none. */
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

    /** The parts into which the measured steps are cut. */
    public Steps parts() {
        SortedSet<Long> nanos = new TreeSet<>();
        cuts.forEach(cut -> nanos.add(cut.toNanos()));
        return LoadPlan.parts(variant.load(), variant.measure(), nanos);
    }

    /** The same for another of several workers. */
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
     * The way behind which events are received by HTTP.
     *
     * @param listen HOST:PORT of the receiver; empty where nothing is received so
     * @param holders URLs of the processes that hold events on their way, and tell how many; empty where none does
     * @param inMemory true when what a holder holds is gone with it
     * @param foreign true when the way is not ours, so that nobody tells what it holds
     * @param deadLetters the topic on the cluster that dead letters are written to; empty for none
     * @param token of the receiver, resolved; empty for none
     */
    public record EventDelivery(
            String listen, List<String> holders, boolean inMemory, boolean foreign, String deadLetters, String token) {
        /** The delivery of a load that receives nothing by HTTP. */
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
