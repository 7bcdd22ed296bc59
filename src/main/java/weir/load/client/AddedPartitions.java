package weir.load.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.load.engine.TopicGone;

/** Questions to the brokers, from time to time, about partitions that were added and topics that are gone. */
final class AddedPartitions {
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final KnownPartitions known;
    private final Supplier<Map<String, KafkaFuture<TopicDescription>>> question;
    private final LongSupplier clock;
    private final Map<String, Long> unknownSince = new HashMap<>();
    private Map<String, KafkaFuture<TopicDescription>> asked = Map.of();
    private long askedNanos;

    AddedPartitions(
            KnownPartitions known, Supplier<Map<String, KafkaFuture<TopicDescription>>> question, LongSupplier clock) {
        this.known = known;
        this.question = question;
        this.clock = clock;
        this.askedNanos = clock.getAsLong();
    }

    /** Asks when it is time to; hears an answer at a later look. */
    synchronized void look() {
        if (!asked.values().stream().allMatch(KafkaFuture::isDone)) {
            return;
        }
        asked.forEach(this::hear);
        asked = Map.of();
        long now = clock.getAsLong();
        if (!unknownSince.isEmpty() || now - askedNanos >= PAUSE_NANOS) {
            askedNanos = now;
            asked = question.get();
        }
    }

    /** Asks now, and waits for the answer. */
    synchronized void ask() {
        question.get().forEach(this::hear);
    }

    private void hear(String topic, KafkaFuture<TopicDescription> answer) {
        try {
            known.learn(answer.get());
            unknownSince.remove(topic);
        } catch (ExecutionException e) {
            // Brokers that are away for a while are asked again.
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                long now = clock.getAsLong();
                if (now - unknownSince.computeIfAbsent(topic, first -> now) >= TopicGone.SURE_NANOS) {
                    throw new TopicGone(TopicGone.deleted(topic));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
