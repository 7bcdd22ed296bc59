package weir.host;

import java.util.Locale;

/** The kinds of resources and settings that stay on a cluster until someone deletes them. */
public enum ResourceType {
    TOPIC,
    GROUP,
    /** A limit of replication on a broker. */
    THROTTLE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
