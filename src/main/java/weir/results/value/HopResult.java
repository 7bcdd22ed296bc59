package weir.results.value;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of the way of an event from the moment at which it was due to its receiver, and the time that it took there.
 *
 * @param hop who did it: {@code sender}, {@code ingress}, {@code channel}, {@code filter}, {@code source}, or the
 *     {@code receiver} that events were on their way to
 * @param mean milliseconds over all events; where it is the difference of two ages, an event that overtakes its answer
 *     makes it less than nothing
 * @param worst p99 of the second in which it was highest, in milliseconds; null where nobody told single events
 */
public record HopResult(
        String hop,
        Part part,
        double mean,
        long count,
        @Nullable Double worst) {
    /** The things that happen to an event. */
    public enum Part {
        /** In the sender: what was due and not sent yet. */
        BEFORE_SENDING,
        /** Between two processes, until the request is whole. */
        ARRIVING,
        ACCEPTING,
        /** Until Kafka has acknowledged it. */
        WRITING,
        /** From Kafka's acknowledgement until it has come out again. */
        FETCHING,
        /** Until its first request is written. */
        WAITING,
        FILTERING,
        /** From the first request to that which succeeded. */
        RETRYING,
        /** In a process that tells no parts. */
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
