package weir.plan;

import java.util.List;

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
