package weir.plan;

import java.time.Duration;
import java.util.List;

/**
 * The way in which events are handed on to subscribers.
 *
 * @param subscribers each of which gets every event; the first is the receiver of the load, the others only answer
 * @param concurrency events on their way to one subscriber at once, where the order is none
 * @param filter of the trigger of a broker
 * @param ttl brokers that an event may pass before it is dropped, so that loops end
 * @param memory bytes of events that a channel holds at most; one that is full answers 429
 */
public record DispatchSpec(
        int subscribers,
        Order order,
        int concurrency,
        RetrySpec delivery,
        EventFilter filter,
        int ttl,
        ByteSize memory) {

    /** The order in which a subscriber gets the events of a partition. */
    public enum Order {
        /** As they stand in it: one on its way for each partition. */
        PARTITION,
        /** As they come, several at once. */
        NONE
    }

    /**
     * The fate of an event that a subscriber does not take, in the words of Knative's delivery specification.
     *
     * @param retry how often it is tried again
     * @param backoffDelay before the first retry: linear policies wait n times as long before the n-th, exponential ones
     *     2^(n-1) times
     * @param timeout of one request
     * @param retryAfterMax the longest that a Retry-After header is heeded; zero ignores it
     * @param deadLetterSink a URL, or the name of a topic of the plan; empty for none
     */
    public record RetrySpec(
            int retry,
            BackoffPolicy backoffPolicy,
            Duration backoffDelay,
            Duration timeout,
            Duration retryAfterMax,
            String deadLetterSink) {
        /** True when dead letters are sent by HTTP. */
        public boolean parksByHttp() {
            return deadLetterSink.contains("://");
        }

        /** The topic of the plan that dead letters are written to; empty where they are not. */
        public String deadLetterTopic() {
            return parksByHttp() ? "" : deadLetterSink;
        }
    }

    /** The growth of the pause between two tries. */
    public enum BackoffPolicy {
        LINEAR,
        EXPONENTIAL
    }

    /** A condition that an event has to meet for a subscriber to get it, in the words of CloudEvents Subscriptions. */
    public sealed interface EventFilter {
        /** A filter that lets every event pass. */
        EventFilter NONE = new All(List.of());

        /** The attribute is there and has this value. */
        record Exact(String attribute, String value) implements EventFilter {}

        record Prefix(String attribute, String value) implements EventFilter {}

        record Suffix(String attribute, String value) implements EventFilter {}

        record All(List<EventFilter> filters) implements EventFilter {
            public All {
                filters = List.copyOf(filters);
            }
        }

        record Any(List<EventFilter> filters) implements EventFilter {
            public Any {
                filters = List.copyOf(filters);
            }
        }

        record Not(EventFilter filter) implements EventFilter {}
    }
}
