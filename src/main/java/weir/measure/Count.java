package weir.measure;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A count of messages, operations or bytes, or a moment. The order of the counts up to {@link #BEGAN_NANOS} is the
 * order in {@code counts.csv} and in the messages between processes.
 */
public enum Count {
    DUE("scheduled", false),
    UNSENT("due, but not sent before the load ended", true),
    SENT("passed to the client", false),
    ACKED("acknowledged", false),
    FAILED("rejected, or given up by the client", true),
    ABORTED("part of an aborted transaction", false),
    UNRESOLVED("unanswered at the end of the drain", true),
    RECEIVED("received by a reader, counted once", false),
    BYTES_SENT,
    BYTES_ACKED,
    BYTES_RECEIVED,
    /** Acked during the step, even if due in an earlier step. The next three counts are of the same kind. */
    ACKED_DURING,
    RECEIVED_DURING,
    BYTES_ACKED_DURING,
    BYTES_RECEIVED_DURING,
    /** The moment of the last ack or arrival, in nanoseconds since the origin; 0 without one. */
    ENDED_NANOS,
    OPERATIONS,
    /** Operations that succeeded during the step, even if they were due in an earlier step. */
    OPERATIONS_DURING,
    /** The moment of the first send, in nanoseconds since the origin; Long.MAX_VALUE without one. Not in files. */
    BEGAN_NANOS,
    UNREAD("acked, but not reached by any reader", true),
    LOST("acked, but missing when read back", true),
    PARKED("acked, not received, and in the dead letter sink", true),
    DUPLICATED("one record at two offsets", true),
    REREAD("one offset read twice", false),
    REORDERED("received after a later record of the same producer and partition", true),
    GHOSTS("failed, but received", true),
    FOREIGN("written by another program", false),
    EXPIRED("removed by the cluster before it was read", false),
    /** The next counts are of share groups only: deliveries, and at last records. */
    ACQUIRED("delivered to a reader, each delivery counted", false),
    ACCEPTED("acknowledged by a reader as accepted, each record counted once", false),
    RELEASED("returned by a reader, for another delivery", false),
    REJECTED("acknowledged by a reader as rejected", false),
    LOCK_EXPIRED("acquired, but the lock ended without an acknowledgement", true),
    REDELIVERED("delivered after a first delivery", false),
    ARCHIVED("acked, but never accepted, and not delivered again", false);

    public static final List<Count> LEDGER =
            Stream.of(values()).filter(count -> !count.meaning.isEmpty()).toList();
    /** The counts of deliveries that readers of a share group report. */
    public static final List<Count> OF_DELIVERIES = List.of(ACCEPTED, RELEASED, REJECTED, REDELIVERED);

    public static final List<Count> OF_SHARE_GROUPS =
            Stream.of(values()).filter(count -> count.compareTo(ACQUIRED) >= 0).toList();
    public static final List<Count> OF_STEPS =
            Stream.of(values()).limit(BEGAN_NANOS.place).toList();
    public static final List<Count> OF_WINDOWS =
            List.of(DUE, SENT, ACKED, FAILED, RECEIVED, BYTES_ACKED, BYTES_RECEIVED);

    private final String meaning;
    private final boolean bad;
    private final String word;
    final int place;

    Count() {
        this("", false);
    }

    @SuppressWarnings("EnumOrdinal")
    Count(String meaning, boolean bad) {
        this.meaning = meaning;
        this.bad = bad;
        String[] words = name().toLowerCase(Locale.ROOT).split("_", -1);
        for (int i = 1; i < words.length; i++) {
            words[i] = words[i].substring(0, 1).toUpperCase(Locale.ROOT) + words[i].substring(1);
        }
        this.word = String.join("", words);
        this.place = ordinal();
    }

    public String word() {
        return word;
    }

    public static Count of(String word) {
        return Stream.of(values())
                .filter(count -> count.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no count is named '" + word + "'"));
    }

    public String meaning() {
        return meaning;
    }

    public boolean bad() {
        return bad;
    }

    boolean reportedByReaders() {
        return place >= RECEIVED.place;
    }

    long none() {
        return this == BEGAN_NANOS ? Long.MAX_VALUE : 0;
    }

    long both(long a, long b) {
        return this == BEGAN_NANOS ? Math.min(a, b) : this == ENDED_NANOS ? Math.max(a, b) : a + b;
    }
}
