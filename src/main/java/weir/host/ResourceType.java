package weir.host;

import java.util.Locale;

/** The kinds of resources that stay on a cluster until someone deletes them. */
public enum ResourceType {
    TOPIC,
    GROUP;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
