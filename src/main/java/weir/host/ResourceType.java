package weir.host;

import java.util.Locale;

/** The kinds of things that are made on a cluster and stay there until they are deleted. */
public enum ResourceType {
    TOPIC,
    GROUP;

    /** The word for it in a journal and in a message. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
