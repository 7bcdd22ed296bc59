package weir.worker;

/**
 * The end of a drain.
 *
 * @param unresolved records sent of which we do not know what became of them
 * @param unread records between the readers' positions and the ends
 */
public record Drained(long unresolved, long unread) {
    public boolean complete() {
        return unresolved == 0 && unread == 0;
    }
}
