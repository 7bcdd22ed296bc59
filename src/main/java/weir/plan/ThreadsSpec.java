package weir.plan;

/** The threads of one reader that work on records, and the records that share a thread. */
public record ThreadsSpec(int count, By by) {
    public static final ThreadsSpec ONE = new ThreadsSpec(1, By.PARTITION);

    public enum By {
        PARTITION,
        KEY,
        /** Any free thread, in no order. */
        ANY
    }
}
