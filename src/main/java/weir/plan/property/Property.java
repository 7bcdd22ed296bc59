package weir.plan.property;

import java.util.List;

/**
 * One property of a client, topic or broker: the requested value, the effective value, and its source. Secrets are
 * redacted.
 *
 * @param of owner of the property: {@code producer}, {@code broker 1}, {@code topic orders} …
 * @param requested empty if the plan does not set it
 * @param remark observed effect, or the reason why Weir set it; empty for none
 */
public record Property(
        String of, String name, String requested, String effective, String byDefault, Source source, String remark) {
    public static final String HIDDEN = "[hidden]";

    /** The name for a topic's replication, which is not a property in Kafka. */
    public static final String REPLICATION = "replication";

    public Property(String of, String name, String requested, String effective, String byDefault, Source source) {
        this(of, name, requested, effective, byDefault, source, "");
    }

    public enum Source {
        DEFAULT,
        WEIR,
        /** The operator of the cluster or the topic. For a topic, also a value inherited from the broker. */
        CLUSTER,
        YOURS,
        /** The client, which changed the requested value or derived it from other properties. */
        OVERRIDDEN
    }

    /** The effective values of a property, for all owners whose names begin with {@code of}. */
    public static List<String> effective(List<Property> all, String of, String name) {
        return all.stream()
                .filter(property -> property.of.startsWith(of) && property.name.equals(name))
                .map(Property::effective)
                .toList();
    }

    public Property from(Source other) {
        return new Property(of, name, requested, effective, byDefault, other, remark);
    }
}
