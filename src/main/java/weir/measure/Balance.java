package weir.measure;

/**
 * Where some messages went, in numbers; -1 is "not known": nobody read, or it cannot be told apart for these steps.
 *
 * @param received messages that arrived, each counted once
 * @param resolvedTwice messages that ended in two ways, or were never sent
 */
public record Balance(
        long due,
        long unsent,
        long sent,
        long acked,
        long failed,
        long aborted,
        long unresolved,
        long received,
        long unread,
        long lost,
        long duplicated,
        long reread,
        long reordered,
        long ghosts,
        long foreign,
        long expired,
        long resolvedTwice) {
    /** Stands for a count that is not known. */
    public static final long UNKNOWN = -1;

    /** True when every due message is in exactly one place. */
    public boolean balances() {
        return due == sent + unsent && sent == acked + failed + aborted + unresolved && resolvedTwice == 0;
    }
}
