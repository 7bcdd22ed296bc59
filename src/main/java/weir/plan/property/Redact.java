package weir.plan.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.syntax.Paths;

/** The rules that find secrets by property name, by value and in texts. */
public final class Redact {
    public static final String HIDDEN = "***";

    private static final String SHOWN = Matcher.quoteReplacement(HIDDEN);
    private static final Pattern SECRET = Pattern.compile(Paths.SECRET_WORDS);
    /** The ends of property names about a secret that are not the secret, such as its file. */
    private static final Pattern ABOUT = Pattern.compile(
            "\\.(ms|seconds|ur[il]s?|class|file|location|type|name|username|path|source|algorithm|providers?|lifetime|enabled?|iterations|length)$");

    private static final Pattern PROVIDER = Pattern.compile("config\\.providers\\.[^.]+\\.class");

    static final String VALUE = "(\"(?:[^\"\\\\\n]|\\\\.)*\"|'[^'\n]*'|[^\\s,;})\\]]+)";
    private static final String NAME = "[\\w.-]*(?:" + Paths.SECRET_WORDS + ")[\\w.-]*";
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?i)((?<![\\w.-])(?<name>" + NAME + ")(?<!\\.java)\\\\?[\"']?\\s*[=:]\\s*)" + VALUE);
    private static final Pattern REFUSED = Pattern.compile("(?i)(Invalid value ).*( for configuration " + NAME + ")");
    private static final Pattern SCHEME =
            Pattern.compile("(?i)(\\b(?:Bearer|Basic|ApiKey|Digest)\\s+)(?=\\S*[0-9=_.-])([\\w.~+/=-]{8,})");

    private static final Pattern USER = Pattern.compile("(://)([^/\\s@\"'?#]+)(@)");
    private static final Pattern KEY = Pattern.compile(
            "(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END [A-Z ]*PRIVATE KEY-----|$)", Pattern.DOTALL);

    /** Values that logs need and Weir never hides: addresses, class names, short words and numbers. */
    private static final Pattern COMMON = Pattern.compile("((localhost|[\\w-]*[.-][\\w.-]*):\\d{1,5},?)+"
            + "|([a-z][a-z0-9_]*\\.)+[A-Z]\\w*|[a-z]{1,11}|[0-9.]{1,8}");

    private static final Pattern PROPERTY =
            Pattern.compile("(?:^|\\.)(?:load|bridge|gateway|cluster)\\.(?:producer|consumer|client)\\.(?:"
                    + Paths.PLUGIN + "\\.)?(.+)$");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}]*}");

    private static final int LONG = 6;

    /** The begin of a value that is a JSON object, list or number, or that has no text. */
    private static final Pattern OPEN = Pattern.compile("[\\[{].*|null|true|false|-?[0-9.eE+-]+");

    private static final Pattern QUOTED = Pattern.compile("^(\\\\*[\"']?)(.*?)(\\\\*[\"']?)$");

    private Redact() {}

    /** Removes secrets from a text of another program, such as an exception's message. */
    public static String text(String text) {
        // The scheme comes first, because it is between the name of a header and its secret.
        String redacted = SCHEME.matcher(text).replaceAll("$1" + SHOWN);
        redacted = ASSIGNMENT.matcher(redacted).replaceAll("$1" + SHOWN);
        redacted = KEY.matcher(redacted).replaceAll("$1" + SHOWN + "$2");
        return users(REFUSED.matcher(redacted).replaceAll("$1" + SHOWN + "$2"));
    }

    /** Hides the secrets that a file of a run marks. The file stays valid JSON, because quotes stay. */
    public static String marked(String text) {
        String redacted = ASSIGNMENT
                .matcher(SCHEME.matcher(text).replaceAll("$1" + SHOWN))
                .replaceAll(found -> Matcher.quoteReplacement(
                        secret(found.group(2)) && !OPEN.matcher(found.group(3)).matches()
                                ? found.group(1)
                                        + QUOTED.matcher(found.group(3)).replaceAll("$1" + SHOWN + "$3")
                                : found.group()));
        return users(KEY.matcher(redacted).replaceAll("$1" + SHOWN + "$2"));
    }

    public static String users(String text) {
        return USER.matcher(text).replaceAll("$1" + SHOWN + "$3");
    }

    /** The secrets that a text itself marks, as in {@code password="x"} and {@code http://user:x@host}. */
    static List<String> markedSecrets(String text) {
        List<String> marked = new ArrayList<>();
        for (Matcher found = ASSIGNMENT.matcher(text); found.find(); ) {
            String value = found.group(3).replaceAll("^([\"'])(.*)\\1$", "$2");
            if (secret(found.group("name")) && !value.matches("(?i)true|false")) {
                marked.add(value);
            }
        }
        SCHEME.matcher(text).results().forEach(found -> marked.add(found.group(2)));
        USER.matcher(text).results().forEach(found -> {
            marked.add(found.group(2));
            marked.add(found.group(2).substring(found.group(2).indexOf(':') + 1));
        });
        return marked;
    }

    static List<String> spelledOut(String text) {
        return markedSecrets(REFERENCE.matcher(text).replaceAll(Matcher.quoteReplacement("${}"))).stream()
                .filter(secret -> !secret.contains("${"))
                .toList();
    }

    public static boolean secret(String name) {
        Properties.Known known = Properties.known().get(name);
        if (known != null) {
            return known.type().equals("password");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET.matcher(lower).find() && !ABOUT.matcher(lower).find();
    }

    /**
     * True if Weir hides the value of a client property: if the name or the value looks like a secret, or if the
     * property is neither known nor harmless.
     */
    public static boolean hides(String name, String value) {
        boolean open = Properties.known().containsKey(name)
                || Properties.harmless(name)
                || PROVIDER.matcher(name).matches();
        return !open || secret(name) || !spelledOut(value).isEmpty();
    }

    /** The value at a path of an experiment for reports, without secrets but with references. */
    public static String atPath(String path, String value) {
        Matcher property = PROPERTY.matcher(path);
        boolean hidden = property.find() && !value.contains("${") && hides(property.group(1), value);
        return hidden ? HIDDEN : users(value);
    }

    /** True if Weir searches texts for this secret. Numbers and plain words are in too many texts. */
    static boolean searchable(String name, String value) {
        return secret(name)
                || !markedSecrets(value).isEmpty()
                || (value.length() >= LONG && !COMMON.matcher(value).matches());
    }
}
