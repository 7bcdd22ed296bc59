package weir.host;

import java.util.Locale;

/** The kinds of resources that stay on a cluster until they are deleted. */
public enum ResourceType {
    TOPIC,
    GROUP;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
