package weir.results.value;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One part of the path of events from due time to receiver, and the time of events in this part.
 *
 * @param hop the process: {@code sender}, {@code ingress}, {@code channel}, {@code filter}, {@code source}, or {@code
 *     receiver} for the part before the receiver
 * @param mean the mean of all events in milliseconds; can be negative, because an event can arrive before its sender
 *     has the answer
 * @param worst the highest p99 of any second, in milliseconds; null without times of single events
 */
public record HopResult(
        String hop,
        Part part,
        double mean,
        long count,
        @Nullable Double worst) {
    public enum Part {
        /** In the sender, from the due time to the send. */
        BEFORE_SENDING,
        /** Between two processes, until the receiving process has the complete request. */
        ARRIVING,
        ACCEPTING,
        /** In a process, until Kafka has acknowledged the event. */
        WRITING,
        /** From Kafka's acknowledgement until a process has fetched the event. */
        FETCHING,
        /** In a process, until its first request for the event is written. */
        WAITING,
        FILTERING,
        /** In a process, from its first request for the event to the successful request. */
        RETRYING,
        /** In a process that does not report parts of its time. */
        INSIDE
    }

    /** The name of this part in tables: "before sending", "→ channel", "channel: waiting". */
    public String name() {
        return switch (part) {
            case BEFORE_SENDING -> "before sending";
            case ARRIVING -> "→ " + hop;
            case INSIDE -> hop;
            case ACCEPTING, WRITING, FETCHING, WAITING, FILTERING, RETRYING ->
                hop + ": " + part.name().toLowerCase(Locale.ROOT);
        };
    }
}
