package weir.worker;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import weir.plan.property.Property;

/** The contents of commands and replies, as JSON. */
final class LinkMessages {
    private LinkMessages() {}

    /** A request to run a phase. With the number, a late stop request cannot stop the next phase. */
    record Run(int number, LoadPhase phase, long startNanos) {}

    record Prepared(List<String> notes) {}

    record Failure(WorkerFailed.Kind kind, String why) {}

    /** The period of due times for which events' times are reported. */
    record Span(long fromNanos, long toNanos) {}

    record Serve(ServerAssignment server) {}

    record Read(long unread, Map<String, Long> positions) {}

    record Verify(long nanos, Map<String, Long> reached) {}

    record End(List<Property> properties, SortedMap<String, String> jvm, SortedMap<String, Object> metrics) {}
}
