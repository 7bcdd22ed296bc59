package weir.feature.delivery;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.feature.delivery.EventProcessSettings.Role;
import weir.plan.BridgeSpec;
import weir.plan.ByteSize;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

/**
 * The delivery of events to subscribers through Weir's own processes: {@code bridge.path}.
 *
 * @param subscribers number of subscribers. Each one receives every event; the first one is the receiver of the load
 * @param concurrency maximum number of unanswered events to one subscriber; unused if {@code order} is PARTITION
 * @param filters conditions of the Knative trigger; an event must meet all of them
 * @param ttl number of brokers that an event may pass before it is dropped, so that no event circulates forever
 * @param memory maximum bytes of events in a channel; a full channel answers 429
 */
public record PathSpec(
        DeliveryPath path,
        int subscribers,
        Order order,
        int concurrency,
        RetrySpec delivery,
        List<EventFilter> filters,
        int ttl,
        ByteSize memory,
        Limits within,
        SortedMap<String, String> producer,
        SortedMap<String, String> consumer,
        PlacedSpec placed)
        implements BridgeSpec {
    static final String GROUP = "-dispatcher";
    private static final double FIRST_SECOND = 1;
    private static final double PROCESS_SECONDS = 0.75;

    public PathSpec {
        filters = List.copyOf(filters);
        producer = Collections.unmodifiableSortedMap(new TreeMap<>(producer));
        consumer = Collections.unmodifiableSortedMap(new TreeMap<>(consumer));
    }

    @Override
    public boolean startedByWeir() {
        return path != DeliveryPath.DIRECT;
    }

    @Override
    public boolean queued() {
        return startedByWeir() && !path.inKafka();
    }

    @Override
    public boolean kept() {
        return path.inKafka();
    }

    @Override
    public String ackedNote() {
        if (!startedByWeir()) {
            return "a direct path has no process of its own, so acked means accepted by the receiver";
        }
        return path.inKafka()
                ? ""
                : "the channel keeps events in memory, so acked means queued in memory by the channel";
    }

    @Override
    public String deadLetterTopic() {
        return delivery.deadLetterTopic();
    }

    @Override
    public Map<String, SortedMap<String, String>> clients() {
        return Map.of("bridge.producer", producer, "bridge.consumer", consumer);
    }

    @Override
    public List<String> groups() {
        return path.inKafka()
                ? IntStream.rangeClosed(1, subscribers)
                        .mapToObj(subscriber -> GROUP + "-" + subscriber)
                        .toList()
                : List.of();
    }

    @Override
    public double startSeconds() {
        int processes = path.processes().size();
        return processes == 0 ? 0 : FIRST_SECOND + PROCESS_SECONDS * processes;
    }

    public enum DeliveryPath {
        DIRECT,
        MEMORY_CHANNEL(Role.MEMORY_CHANNEL),
        MEMORY_BROKER(Role.INGRESS, Role.MEMORY_CHANNEL, Role.FILTER),
        KAFKA_CHANNEL(Role.KAFKA_CHANNEL),
        KAFKA_BROKER(Role.INGRESS, Role.KAFKA_CHANNEL, Role.FILTER),
        KAFKA_SOURCE(Role.SOURCE);

        @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable.
        private final List<Role> roles;

        DeliveryPath(Role... roles) {
            this.roles = List.of(roles);
        }

        List<Role> roles() {
            return roles;
        }

        public List<String> processes() {
            return roles.stream().map(role -> role.process).toList();
        }

        public boolean inKafka() {
            return this == KAFKA_CHANNEL || this == KAFKA_BROKER || this == KAFKA_SOURCE;
        }
    }

    public enum Order {
        PARTITION,
        /** Up to {@code concurrency} events at a time, in any order. */
        NONE
    }

    /**
     * The retries of a rejected event. The names are those of Knative's delivery specification.
     *
     * @param backoffDelay pause before the first retry; before the n-th retry, n times as long with the linear policy,
     *     and 2^(n-1) times with the exponential policy
     * @param retryAfterMax longest pause that a Retry-After header can request; zero ignores the header
     * @param deadLetterSink URL, or name of a topic in the file, for events whose retries all failed; empty for none
     */
    public record RetrySpec(
            int retry,
            BackoffPolicy backoffPolicy,
            Duration backoffDelay,
            Duration timeout,
            Duration retryAfterMax,
            String deadLetterSink) {
        public RetrySpec {
            deadLetterSink = deadLetterSink.equals("none") ? "" : deadLetterSink;
        }

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

    /** A condition on events. The names are those of the CloudEvents Subscriptions API. */
    public sealed interface EventFilter {
        /** The values that attributes of an event must all have, by attribute name. */
        record Exact(SortedMap<String, String> exact) implements EventFilter {}

        record Prefix(SortedMap<String, String> prefix) implements EventFilter {}

        record Suffix(SortedMap<String, String> suffix) implements EventFilter {}

        record All(List<EventFilter> all) implements EventFilter {
            public All {
                all = List.copyOf(all);
            }
        }

        record Any(List<EventFilter> any) implements EventFilter {
            public Any {
                any = List.copyOf(any);
            }
        }

        record Not(EventFilter not) implements EventFilter {}
    }
}
