package weir.plan;

/**
 * One property of a client, topic or broker: what was asked for, what holds, and who decided. Secrets are redacted.
 *
 * @param of whose property: {@code producer}, {@code broker}, {@code topic orders} …
 * @param requested empty when nobody asked
 */
public record Property(String of, String name, String requested, String effective, String byDefault, Source source) {
    /** Who decided the effective value. */
    public enum Source {
        DEFAULT,
        WEIR,
        YOURS,
        /** The client changed by itself what was asked for, or what follows from it. */
        OVERRIDDEN
    }
}
