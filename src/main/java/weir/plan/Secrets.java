package weir.plan;

import java.util.SortedMap;

/** Puts values in the place of secret references such as {@code ${env:NAME}} and {@code ${file:PATH:KEY}}. */
@SuppressWarnings("DoNotCallSuggester")
public final class Secrets {
    private Secrets() {}

    /**
     * The same properties with every reference replaced by what it points to.
     *
     * @throws Problems naming every reference that leads nowhere
     */
    public static SortedMap<String, String> resolve(SortedMap<String, String> properties) {
        throw new UnsupportedOperationException("resolving " + properties.keySet());
    }
}
