package weir.plan.property;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.syntax.Paths;

/** The rules for what is a secret, by the name of a property, by its value and in texts. */
public final class Redact {
    /** The text shown in place of a secret. */
    public static final String HIDDEN = "***";

    private static final String SHOWN = Matcher.quoteReplacement(HIDDEN);
    private static final Pattern SECRET = Pattern.compile(Paths.SECRET_WORDS);
    /** Such a property speaks about a secret, and is none. */
    private static final Pattern ABOUT = Pattern.compile(
            "\\.(ms|seconds|ur[il]s?|class|file|location|type|name|username|path|source|algorithm|providers?|lifetime|enabled?)$");

    /** Properties of plugins that people want to see; values of all others may be secrets, and only their plugin knows. */
    private static final Set<String> HARMLESS = Set.of(
            "application.id",
            "application.server",
            "auto.register.schemas",
            "avro.use.logical.type.converters",
            "basic.auth.credentials.source",
            "bearer.auth.credentials.source",
            "config.providers",
            "default.key.serde",
            "default.value.serde",
            "json.fail.invalid.schema",
            "key.subject.name.strategy",
            "latest.compatibility.strict",
            "normalize.schemas",
            "num.stream.threads",
            "processing.guarantee",
            "replication.factor",
            "schema.registry.url",
            "specific.avro.reader",
            "state.dir",
            "use.latest.version",
            "value.subject.name.strategy");

    private static final Pattern PROVIDER = Pattern.compile("config\\.providers\\.[^.]+\\.class");

    static final String VALUE = "(\"(?:[^\"\\\\\n]|\\\\.)*\"|'[^'\n]*'|[^\\s,;})\\]]+)";
    private static final String NAME = "[\\w.-]*(?:" + Paths.SECRET_WORDS + ")[\\w.-]*";
    /** {@code name=value} and {@code name: value}, the value in quotes or up to the next blank; not a line of a source. */
    private static final Pattern SAID =
            Pattern.compile("(?i)((?<name>" + NAME + ")(?<!\\.java)\\\\?[\"']?\\s*[=:]\\s*)" + VALUE);
    /** Kafka's own words about a value that it does not take. */
    private static final Pattern REFUSED = Pattern.compile("(?i)(Invalid value ).*( for configuration " + NAME + ")");
    /** A header of HTTP, and what stands behind its scheme wherever it is told. */
    private static final Pattern SCHEME =
            Pattern.compile("(?i)(\\b(?:Bearer|Basic|ApiKey|Digest)\\s+)(?=\\S*[0-9=_.-])([\\w.~+/=-]{8,})");

    private static final Pattern USER = Pattern.compile("(://)([^/\\s@\"'?#]+)(@)");
    private static final Pattern KEY = Pattern.compile(
            "(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END [A-Z ]*PRIVATE KEY-----|$)", Pattern.DOTALL);

    /** Addresses and classes, which a log without them would say nothing. */
    private static final Pattern COMMON = Pattern.compile("((localhost|[\\w-]*[.-][\\w.-]*):\\d{1,5},?)+"
            + "|([a-z][a-z0-9_]*\\.)+[A-Z]\\w*|[a-z]{1,11}|[0-9.]{1,8}");

    /** The path of a property of clients. */
    private static final Pattern PROPERTY =
            Pattern.compile("(?:^|\\.)(?:load|bridge|gateway|cluster)\\.(?:producer|consumer|client)\\.(?:"
                    + Paths.PLUGIN + "\\.)?(.+)$");

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^}]*}");

    private static final int LONG = 6;

    private Redact() {}

    /** A text that somebody else wrote, such as an exception's, without what it says of secrets. */
    public static String text(String text) {
        // The scheme first: it stands between the name of a header and its secret.
        String said = SCHEME.matcher(text).replaceAll("$1" + SHOWN);
        said = SAID.matcher(said).replaceAll("$1" + SHOWN);
        said = KEY.matcher(said).replaceAll("$1" + SHOWN + "$2");
        return users(REFUSED.matcher(said).replaceAll("$1" + SHOWN + "$2"));
    }

    /** A text without the user and password of URLs. */
    public static String users(String text) {
        return USER.matcher(text).replaceAll("$1" + SHOWN + "$3");
    }

    /** The secrets that a text names as such, as in {@code password="x"} and {@code http://user:x@host}. */
    static List<String> said(String text) {
        List<String> said = new ArrayList<>();
        for (Matcher found = SAID.matcher(text); found.find(); ) {
            String value = unquoted(found.group(3));
            if (secret(found.group("name")) && !value.matches("(?i)true|false")) {
                said.add(value);
            }
        }
        SCHEME.matcher(text).results().forEach(found -> said.add(found.group(2)));
        USER.matcher(text).results().forEach(found -> {
            said.add(found.group(2));
            said.add(found.group(2).substring(found.group(2).indexOf(':') + 1));
        });
        return said;
    }

    static List<String> spelledOut(String text) {
        return said(REFERENCE.matcher(text).replaceAll(Matcher.quoteReplacement("${}"))).stream()
                .filter(said -> !said.contains("${"))
                .toList();
    }

    private static String unquoted(String value) {
        return value.replaceAll("^([\"'])(.*)\\1$", "$2");
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

    /**
     * True when the value of a property of a client is not shown: a secret by name, a value that names one, and any value of a
     * property that no client knows and that is not known to be harmless.
     */
    public static boolean hides(String name, String value) {
        boolean open = Properties.known().containsKey(name)
                || HARMLESS.contains(name)
                || PROVIDER.matcher(name).matches();
        return !open || secret(name) || !spelledOut(value).isEmpty();
    }

    /** The value at a path of an experiment as it is shown: that of a client's property may be a secret, and a reference is none. */
    public static String atPath(String path, String value) {
        Matcher property = PROPERTY.matcher(path);
        boolean hidden = property.find() && !value.contains("${") && hides(property.group(1), value);
        return hidden ? HIDDEN : users(value);
    }

    /** True when the value of such a property is looked for in texts: a number or a word is found in too many of them. */
    static boolean telling(String name, String value) {
        return secret(name)
                || !said(value).isEmpty()
                || (value.length() >= LONG && !COMMON.matcher(value).matches());
    }
}
