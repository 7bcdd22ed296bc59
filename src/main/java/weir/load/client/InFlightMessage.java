package weir.load.client;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import weir.load.engine.AckedEnds;
import weir.load.message.Message;
import weir.load.send.Outcomes;

/**
 * A message on its way. It is used again once it has landed, so that a message in flight costs no garbage of ours.
 *
 * <p>The client calls it back on its own thread, except for a message that it refuses at once: then on the sender's, before
 * {@code send} returns.
 */
final class InFlightMessage implements Callback {
    private final InFlightMessages home;
    private final Outcomes outcomes;
    private final AckedEnds ends;
    private final LongSupplier clock;
    private int topic;
    private int step;
    private long sequence;
    private long dueNanos;
    private long sentNanos;
    private int bytes;

    InFlightMessage(InFlightMessages home, Outcomes outcomes, AckedEnds ends, LongSupplier clock) {
        this.home = home;
        this.outcomes = outcomes;
        this.ends = ends;
        this.clock = clock;
    }

    void depart(Message message, long sentNanos) {
        this.topic = message.topic();
        this.step = message.step();
        this.sequence = message.sequence();
        this.dueNanos = message.dueNanos();
        this.sentNanos = sentNanos;
        this.bytes = message.bytes();
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception == null && metadata != null) {
            if (metadata.hasOffset()) {
                ends.acked(topic, metadata.partition(), metadata.offset());
            }
            outcomes.acked(step, sequence, dueNanos, sentNanos, clock.getAsLong(), bytes);
        } else {
            Exception why = Objects.requireNonNull(exception);
            if (ClientRefusals.refuses(why)) {
                home.unfit(why);
            }
            outcomes.failed(step, sequence, dueNanos, sentNanos, why);
        }
        home.landed(this);
    }
}
