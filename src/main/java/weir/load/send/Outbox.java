package weir.load.send;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.load.message.KeySource;
import weir.load.message.Message;
import weir.load.message.ValueSource;
import weir.measure.LatencyKind;
import weir.measure.Recorder;
import weir.measure.SentLedger;

/**
 * The messages of one sender, with their due times ({@link #dues}) and {@link #outcomes}. A sender takes messages
 * singly ({@link #awaitNext}), in batches ({@link DueQueue#take}), or in {@link Operations} of several messages.
 */
public final class Outbox {
    public record Context(
            int runTag,
            int producer,
            int topics,
            StepClock steps,
            LongSupplier clock,
            ProcessPauses pauses,
            Failures failures) {
        long own(long fromNanos, long toNanos) {
            return toNanos - fromNanos < ProcessPauses.LEAST_NANOS ? 0 : pauses.within(fromNanos, toNanos);
        }
    }

    public final Context context;
    private final ValueSource values;
    private final ValueSource.@Nullable Serialized serialized;
    private final KeySource keys;
    final SentLedger ledger;
    final Recorder here;
    private final Outcomes outcomes;
    private final DueQueue dues;
    volatile boolean dry;
    private final Message message = new Message();
    private boolean ready;

    public Outbox(
            Context context, ValueSource values, KeySource keys, SentLedger ledger, Recorder here, Outcomes outcomes) {
        this.context = context;
        this.values = values;
        this.serialized = values instanceof ValueSource.Serialized own ? own : null;
        this.keys = keys;
        this.ledger = ledger;
        this.here = here;
        this.outcomes = outcomes;
        this.dues = new DueQueue(context, ledger, here, outcomes);
    }

    public DueQueue dues() {
        return dues;
    }

    public Outcomes outcomes() {
        return outcomes;
    }

    public ValueSource values() {
        return values;
    }

    public boolean keyed() {
        return keys != KeySource.KEYLESS;
    }

    /**
     * Waits until a message is due and makes it {@link #message}. The message now counts as sent, so the caller must
     * send it immediately. Returns false after the last message.
     */
    public boolean awaitNext(MessageBatch one) {
        while (true) {
            if (!ready) {
                // The message is made before its due time, so that making it causes no delay.
                make(dues.takes);
                ready = true;
            }
            long now = now();
            long at = dues.departs(true, false, now);
            if (at <= now) {
                dues.take(one, now);
                identify(one.topic, one.first, one.dueNanos);
                ready = false;
                return true;
            }
            if (!dues.await(at, now)) {
                return false;
            }
        }
    }

    public Message message() {
        return message;
    }

    public void queued(MessageBatch one) {
        dues.returned(one, now(), message.bytes());
    }

    /** Makes the message with this number in the last batch. Called once for each message, in order. */
    public Message message(MessageBatch batch, int number) {
        long sequence = batch.first + number;
        make(sequence);
        return identify(batch.topic, sequence, batch.dueNanos(number));
    }

    /** Returns true if a stream has read all records that its topics will ever have. Any thread may ask. */
    public boolean dry() {
        return dry;
    }

    /** Counts due messages that were never sent, after the end of both threads. */
    public void settle(long endOfDrainNanos) {
        dues.settle(endOfDrainNanos);
        outcomes.settle();
    }

    long now() {
        return context.clock.getAsLong();
    }

    void make(long number) {
        if (serialized != null) {
            serialized.draw();
        } else {
            message.value = values.next(number);
        }
        message.key = keys.next(number, message.value);
        message.header = !values.generated() || message.value.length < Identity.SMALLEST_VALUE;
    }

    Message identify(int topic, long sequence, long due) {
        message.topic = topic;
        if (serialized != null) {
            long startNanos = now();
            message.value = serialized.serialize();
            long endNanos = now();
            here.part(LatencyKind.SERIALIZE, context.steps.stepAt(due), endNanos, endNanos - startNanos);
        }
        Identity.write(message.identified(), context.runTag, context.producer, sequence, due);
        return message;
    }
}
