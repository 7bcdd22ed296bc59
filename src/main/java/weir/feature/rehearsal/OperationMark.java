package weir.feature.rehearsal;

import java.util.List;
import java.util.stream.Stream;
import weir.results.value.Event;

/** The event at the begin of a step of an operation. */
record OperationMark(String operation, String subject, String what) {
    static final String EVENT = "operation";

    private static final String BETWEEN = ": ";

    /** A mark and its time, in seconds since the trial's first window began. */
    record Timed(double second, OperationMark mark) {}

    String text() {
        return String.join(BETWEEN, operation, subject, what);
    }

    static List<Timed> of(List<Event> events) {
        return events.stream()
                .filter(event -> event.name().equals(EVENT))
                .flatMap(event -> {
                    String[] parts = event.text().split(BETWEEN, 3);
                    return parts.length < 3
                            ? Stream.empty()
                            : Stream.of(new Timed(event.second(), new OperationMark(parts[0], parts[1], parts[2])));
                })
                .toList();
    }
}
