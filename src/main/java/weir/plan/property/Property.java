package weir.plan.property;

/**
 * One property of a client, topic or broker: what was asked for, what holds, and who decided. Secrets are redacted.
 *
 * @param of whose property: {@code producer}, {@code broker 1}, {@code topic orders} …
 * @param requested empty when nobody asked
 * @param remark what could be seen of its effect, or why Weir set it; empty where there is nothing to say
 */
public record Property(
        String of, String name, String requested, String effective, String byDefault, Source source, String remark) {
    /** The text shown in place of a value that is a secret. */
    public static final String HIDDEN = "[hidden]";

    /** The copies of each partition, which topics have beside the properties that Kafka knows. */
    public static final String REPLICATION = "replication";

    /** One of which nothing is known but its values. */
    public Property(String of, String name, String requested, String effective, String byDefault, Source source) {
        this(of, name, requested, effective, byDefault, source, "");
    }

    /** Who decided the effective value. */
    public enum Source {
        DEFAULT,
        WEIR,
        YOURS,
        /** Whoever set up the cluster or the topic; a topic also takes over what its broker has. */
        CLUSTER,
        /** The client changed by itself what was asked for, or what follows from it. */
        OVERRIDDEN
    }

    public Property from(Source other) {
        return new Property(of, name, requested, effective, byDefault, other, remark);
    }

    public Property remarked(String text) {
        return new Property(of, name, requested, effective, byDefault, source, text);
    }
}
