package weir.plan;

import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Hides the values of properties that are secrets. */
public final class Redact {
    /** What is shown in place of a secret. */
    public static final String HIDDEN = "***";

    private static final Pattern SECRET = Pattern.compile("jaas|password|secret|token");
    /** Such a property speaks about a secret, and is none. */
    private static final Pattern ABOUT =
            Pattern.compile("\\.(ms|seconds|url|urls|class|file|location|type|name|path)$");

    private Redact() {}

    public static SortedMap<String, String> properties(SortedMap<String, String> properties) {
        SortedMap<String, String> shown = new TreeMap<>();
        for (Map.Entry<String, String> entry : properties.entrySet()) {
            shown.put(entry.getKey(), secret(entry.getKey()) ? HIDDEN : entry.getValue());
        }
        return shown;
    }

    /** Whether a property with this name holds a secret. */
    public static boolean secret(String name) {
        Properties.Known known = Properties.known().get(name);
        if (known != null) {
            return known.type().equals("password");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET.matcher(lower).find() && !ABOUT.matcher(lower).find();
    }
}
