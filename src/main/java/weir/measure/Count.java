package weir.measure;

import java.util.Locale;

/** A count of the ledger: what became of messages. The first seven are told by producers, the others by readers. */
public enum Count {
    DUE("scheduled", false),
    UNSENT("due, but the phase ended before they were sent", true),
    SENT("handed to the client", false),
    ACKED("acknowledged", false),
    FAILED("rejected, or given up by the client", true),
    ABORTED("part of an aborted transaction", false),
    UNRESOLVED("unanswered at the end of the drain", true),
    RECEIVED("received by a reader, counted once", false),
    UNREAD("beyond the last position of any reader", true),
    LOST("acked, but missing when read back", true),
    PARKED("acked, and in the dead letter sink instead of received", true),
    DUPLICATED("one record at two offsets", true),
    REREAD("one offset read twice", false),
    REORDERED("received after a later record of the same producer and partition", true),
    GHOSTS("failed, but received", true),
    FOREIGN("written by another program", false),
    EXPIRED("removed by the cluster before it was read", false);

    private final String meaning;
    private final boolean bad;

    Count(String meaning, boolean bad) {
        this.meaning = meaning;
        this.bad = bad;
    }

    /** The word in reports, files and expectations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Count of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public String meaning() {
        return meaning;
    }

    /** True when somebody should look at any of them. */
    public boolean bad() {
        return bad;
    }

    boolean toldByReaders() {
        return compareTo(RECEIVED) >= 0;
    }
}
