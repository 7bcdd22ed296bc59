package weir.worker;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.property.ResolvedSecrets;

/**
 * The way of an event as a trial asks for it. Its properties hold secrets, resolved: never to be written down.
 *
 * @param listen HOST:PORT of the receiver; empty for a free port on loopback
 * @param producer all properties of what writes to Kafka
 * @param consumer all properties of what reads from Kafka, {@code group.id} included
 * @param topic of the events on the cluster
 * @param deadLetters the URL or the topic on the cluster that dead letters go to; empty for none
 * @param classPath of what the properties need beside our own
 * @param originNanos second 0 of the figures that the processes tell of themselves
 */
public record RungsAssignment(
        BridgeSpec.Delivery asked,
        String listen,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        String topic,
        String deadLetters,
        List<String> classPath,
        long originNanos,
        ResolvedSecrets secrets) {
    public RungsAssignment {
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        classPath = List.copyOf(classPath);
        consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
    }

    // The generated text would hold the secrets.
    @Override
    public String toString() {
        return "the way of " + asked.path();
    }
}
