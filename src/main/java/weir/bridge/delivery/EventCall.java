package weir.bridge.delivery;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** A request that waits for its answer. Belongs to the event loop of its connection. */
final class EventCall {
    private final EventConnection connection;
    private final Outlet.Heard heard;
    private final long deadlineNanos;
    private final long outNanos;
    private int status;
    private String retryAfter = "";
    private boolean last;
    /** The beginning of an answer that is no success. */
    private @Nullable ByteArrayOutputStream body;
    /** Its place in a {@link CallList}. */
    @Nullable EventCall before;

    @Nullable EventCall after;

    EventCall(EventConnection connection, Outlet.Heard heard, long outNanos, long deadlineNanos) {
        this.connection = connection;
        this.heard = heard;
        this.outNanos = outNanos;
        this.deadlineNanos = deadlineNanos;
    }

    EventConnection connection() {
        return connection;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    long outNanos() {
        return outNanos;
    }

    /** {@code last}: nothing more is answered on the connection. */
    void answer(int begun, String comeAgain, boolean isLast) {
        status = begun;
        retryAfter = comeAgain;
        last = isLast;
        body = begun >= 300 ? new ByteArrayOutputStream() : null;
    }

    int status() {
        return status;
    }

    boolean last() {
        return last;
    }

    @Nullable ByteArrayOutputStream body() {
        return body;
    }

    void end() {
        ByteArrayOutputStream answered = body;
        heard.heard(
                answered == null
                        ? Outcome.answered(status, outNanos)
                        : new Outcome(status, retryAfter, answered.toByteArray(), outNanos));
    }

    void end(Outcome outcome) {
        heard.heard(outcome);
    }
}
