package weir.results.value;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A part of an event's path from its due time to its receiver, and the time that the event spent there.
 *
 * @param hop the process: {@code sender}, {@code ingress}, {@code channel}, {@code filter}, {@code source}, or the
 *     {@code receiver} that events were on their way to
 * @param mean milliseconds over all events; where it is the difference of two ages, an event that overtakes its answer
 *     makes it less than nothing
 * @param worst p99 of the second in which it was highest, in milliseconds; null without times of single events
 */
public record HopResult(
        String hop,
        Part part,
        double mean,
        long count,
        @Nullable Double worst) {
    public enum Part {
        /** In the sender, from due to sent. */
        BEFORE_SENDING,
        /** Between two processes, until the request is complete. */
        ARRIVING,
        ACCEPTING,
        /** Until Kafka has acknowledged it. */
        WRITING,
        /** From Kafka's acknowledgement until the event is fetched. */
        FETCHING,
        /** Until its first request is written. */
        WAITING,
        FILTERING,
        /** From the first request to the one that succeeded. */
        RETRYING,
        /** In a process that reports no parts. */
        INSIDE
    }

    /** The name of the stretch in tables: "before sending", "→ channel", "channel: waiting". */
    public String name() {
        return switch (part) {
            case BEFORE_SENDING -> "before sending";
            case ARRIVING -> "→ " + hop;
            case INSIDE -> hop;
            case ACCEPTING, WRITING, FETCHING, WAITING, FILTERING, RETRYING -> hop + ": " + word();
        };
    }

    private String word() {
        return part.name().toLowerCase(Locale.ROOT);
    }
}
