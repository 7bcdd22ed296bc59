package weir.feature.maintenance;

import java.util.List;
import java.util.stream.Stream;
import weir.results.value.Event;

/** The event at the begin of a step of an operation, and the readings of the step's subject. */
record OperationMark(String operation, String subject, String what) {
    static final String EVENT = "operation";

    static final String STOP = "stop";
    static final String START = "start";
    /** A node serves clients again, and its replicas are not in sync yet. */
    static final String SYNC = "sync";

    /** The number of partitions that a broker led before it stopped, and after all replicas were in sync. */
    static final String LED_BEFORE = "led.before";

    static final String LED_AFTER = "led.after";

    /** The size of all moved replicas. */
    static final String MOVED_MIB = "moved.mib";

    /** The rate at which the broker that received the most data received it. */
    static final String MOVED_RATE = "moved.mib.per.s";

    private static final String BETWEEN = ": ";
    private static final String SOURCE = " (operation) ";

    /** A mark and its time, in seconds since the trial's first window began. */
    record Timed(double second, OperationMark mark) {}

    static String source(String operation, String subject) {
        return operation + SOURCE + subject;
    }

    static boolean noted(String source) {
        return source.contains(SOURCE);
    }

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
