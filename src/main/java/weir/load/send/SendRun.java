package weir.load.send;

import weir.load.message.Message;
import weir.measure.Recorder;

/**
 * Messages sent right after each other, each in less time than a histogram can tell from none, and on time: they are
 * recorded together. Owned by the sender's thread.
 */
final class SendRun {
    /** The lowest value that histograms tell from zero. */
    private static final long NOTHING_NANOS = 1_000;

    private final Recorder recorder;
    private int count;
    private long bytes;
    private int step;
    private long sentNanos;

    SendRun(Recorder recorder) {
        this.recorder = recorder;
    }

    void add(Message message, long sent, long queued, long backpressure) {
        boolean nothing = queued - sent < NOTHING_NANOS && sent - message.dueNanos < NOTHING_NANOS;
        if (count > 0 && !(nothing && message.step == step && sent - sentNanos <= AckRun.MOMENT_NANOS)) {
            flush();
        }
        if (!nothing) {
            recorder.due(message.step, message.dueNanos, 1);
            recorder.sent(message.step, 1, message.dueNanos, sent, queued, backpressure, message.bytes());
            return;
        }
        if (count == 0) {
            step = message.step;
            sentNanos = sent;
        }
        count++;
        bytes += message.bytes();
    }

    void flush() {
        if (count > 0) {
            recorder.due(step, sentNanos, count);
            recorder.sent(step, count, sentNanos, sentNanos, sentNanos, 0, bytes);
            count = 0;
            bytes = 0;
        }
    }
}
