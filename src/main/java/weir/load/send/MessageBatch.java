package weir.load.send;

import java.util.Arrays;

/**
 * Messages that leave together. {@link DueQueue} fills batches. The engine owns them and reuses a batch after all its
 * messages are acked or failed.
 */
public final class MessageBatch {
    private static final long UNEVEN_NANOS = 500;
    private static final long[] NONE = {};

    public int step;
    public int topic;

    public int count;
    /** True if all messages were due at {@link #dueNanos} and sent at {@link #sentNanos}, as for a single message. */
    public boolean alike;

    boolean scattered;

    public long first;
    public long dueNanos;
    public long sentNanos;
    public long[] dues = NONE;
    long[] sents = NONE;
    long[] sequences = NONE;

    public long sequence(int message) {
        return scattered ? sequences[message] : first + message;
    }

    public long dueNanos(int message) {
        return alike ? dueNanos : dues[message];
    }

    /** Returns true for consecutive numbers with equal or equally spaced due times, within half a microsecond. */
    public boolean even() {
        if (alike || scattered || count == 0) {
            return alike && !scattered;
        }
        long first = dues[0];
        long length = dues[count - 1] - first;
        for (int i = 1; i < count - 1; i++) {
            if (Math.abs(dues[i] - first - length * i / (count - 1)) > UNEVEN_NANOS) {
                return false;
            }
        }
        return true;
    }

    long sentNanos(int message) {
        return alike ? sentNanos : sents[message];
    }

    public void begin(MessageBatch whole) {
        step = whole.step;
        topic = whole.topic;
        alike = false;
        scattered = true;
        count = 0;
    }

    public void add(MessageBatch whole, int message) {
        reserve(count + 1);
        if (count >= sequences.length) {
            sequences = Arrays.copyOf(sequences, dues.length);
        }
        sequences[count] = whole.sequence(message);
        dues[count] = whole.dueNanos(message);
        sents[count] = whole.sentNanos(message);
        count++;
    }

    public void reserve(int messages) {
        if (messages > dues.length) {
            int length = Math.max(messages, 2 * dues.length);
            dues = Arrays.copyOf(dues, length);
            sents = Arrays.copyOf(sents, length);
        }
    }
}
