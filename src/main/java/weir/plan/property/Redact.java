package weir.plan.property;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides the values of properties that are secrets. */
public final class Redact {
    /** The text shown in place of a secret. */
    public static final String HIDDEN = "***";

    private static final Pattern SECRET = Pattern.compile("jaas|password|secret|token");
    /** Such a property speaks about a secret, and is none. */
    private static final Pattern ABOUT =
            Pattern.compile("\\.(ms|seconds|url|urls|class|file|location|type|name|path)$");

    private static final String NAME = "[\\w.-]*(?:jaas|password|secret|token)[\\w.-]*";
    /** {@code name=value} and {@code name: value}, the value in quotes or up to the next blank; not a line of a source. */
    private static final Pattern SAID =
            Pattern.compile("(?i)(" + NAME + "(?<!\\.java)[\"']?\\s*[=:]\\s*)(\"[^\"\n]*\"|'[^'\n]*'|[^\\s,;})\\]]+)");
    /** Kafka's own words about a value that it does not take. */
    private static final Pattern REFUSED = Pattern.compile("(?i)(Invalid value ).*( for configuration " + NAME + ")");

    private Redact() {}

    public static SortedMap<String, String> properties(SortedMap<String, String> properties) {
        SortedMap<String, String> shown = new TreeMap<>();
        for (Map.Entry<String, String> entry : properties.entrySet()) {
            shown.put(entry.getKey(), secret(entry.getKey()) ? HIDDEN : entry.getValue());
        }
        return shown;
    }

    /** A text that somebody else wrote, such as an exception's, without what it says of secrets. */
    public static String text(String text) {
        String said = SAID.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN));
        return REFUSED.matcher(said).replaceAll("$1" + Matcher.quoteReplacement(HIDDEN) + "$2");
    }

    /** The secrets that a text names as such, as in {@code password="x"}. */
    static List<String> said(String text) {
        return SAID.matcher(text)
                .results()
                .map(said -> said.group(2).replaceAll("^([\"'])(.*)\\1$", "$2"))
                .toList();
    }

    /** True when a property with this name holds a secret. */
    public static boolean secret(String name) {
        Properties.Known known = Properties.known().get(name);
        if (known != null) {
            return known.type().equals("password");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET.matcher(lower).find() && !ABOUT.matcher(lower).find();
    }
}
