package weir.worker;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.BridgeSpec;
import weir.plan.property.ResolvedSecrets;

/**
 * The path of an event as a trial asks for it. Its properties hold resolved secrets: never write them down.
 *
 * @param listen HOST:PORT of the receiver; empty for a free port on loopback
 * @param producer all properties of the producers
 * @param consumer all properties of the consumers, {@code group.id} included
 * @param topic of the events on the cluster
 * @param deadLetters the URL or the topic on the cluster that dead letters go to; empty for none
 * @param classPath of the classes that the properties need beside Weir's own
 * @param originNanos second 0 of the processes' own figures
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
