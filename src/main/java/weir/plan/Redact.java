package weir.plan;

import java.util.SortedMap;

/** Hides the values of properties that are secrets. */
@SuppressWarnings("DoNotCallSuggester")
public final class Redact {
    private Redact() {}

    public static SortedMap<String, String> properties(SortedMap<String, String> properties) {
        throw new UnsupportedOperationException("redacting " + properties.keySet());
    }

    /** Whether a property with this name holds a secret. */
    public static boolean secret(String name) {
        throw new UnsupportedOperationException("judging " + name);
    }
}
