package weir.plan;

import java.time.Duration;
import java.util.List;

/**
 * The delivery of events to subscribers.
 *
 * @param subscribers number of subscribers; each gets every event, the first is the load's receiver
 * @param concurrency events in flight to one subscriber, if the order is none
 * @param filter condition of the trigger of a broker
 * @param ttl number of brokers that an event may pass before it is dropped, which ends loops
 * @param memory maximum bytes of events in a channel; a full channel answers 429
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
        /** One event at a time for each partition, in the order of the partition. */
        PARTITION,
        /** Several events at once, without an order. */
        NONE
    }

    /**
     * The handling of an event that a subscriber rejects, in the words of Knative's delivery specification.
     *
     * @param retry maximum number of retries
     * @param backoffDelay pause before the first retry: linear policies wait n times as long before the n-th,
     *     exponential ones 2^(n-1) times
     * @param timeout time limit of one request
     * @param retryAfterMax upper limit for a Retry-After header; zero ignores the header
     * @param deadLetterSink a URL, or the name of a topic of the plan; empty for none
     */
    public record RetrySpec(
            int retry,
            BackoffPolicy backoffPolicy,
            Duration backoffDelay,
            Duration timeout,
            Duration retryAfterMax,
            String deadLetterSink) {
        public boolean parksByHttp() {
            return deadLetterSink.contains("://");
        }

        public String deadLetterTopic() {
            return parksByHttp() ? "" : deadLetterSink;
        }
    }

    public enum BackoffPolicy {
        LINEAR,
        EXPONENTIAL
    }

    /** A condition on the events that a subscriber gets, in the words of CloudEvents Subscriptions. */
    public sealed interface EventFilter {
        EventFilter NONE = new All(List.of());

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
