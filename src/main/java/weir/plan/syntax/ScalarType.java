package weir.plan.syntax;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import weir.feature.BridgeKind;
import weir.feature.Features;
import weir.plan.ByteSize;
import weir.plan.DisturbanceSpec;
import weir.plan.Rate;
import weir.plan.RateSpec;
import weir.plan.Ratio;

/** The type of a plain value: its name for users, its pattern for the schema, and its parser. */
public enum ScalarType {
    NONE("keys", "", text -> {
        throw new IllegalArgumentException("is a section with keys, found the value '" + text + "'");
    }),
    ANY("any value", "", text -> text),
    TEXT("text", "", text -> text),
    PROPERTY("property value", "", text -> text),
    REGEX("regular expression", "", ScalarType::regex),
    WORD("word", "", text -> text),
    PATH("path", "", "[^\\x00]+", "not a path"),
    NAME("name", "[a-z0-9][a-z0-9-]*", "[a-z0-9][a-z0-9-]{0,99}", "not a name; use a-z, 0-9 and -"),
    BOOLEAN("true or false", "true|false", ScalarType::flag),
    INTEGER("whole number", "-?[0-9]+", Units::integer),
    NUMBER("number from 0", Units.COUNT.pattern(), Units::smallCount),
    COUNT("count", Units.COUNT.pattern(), Units::smallCount),
    RECORDS("count of records", Units.COUNT.pattern() + "( records)?", Units::records),
    DECIMAL("number", "[0-9]+(\\.[0-9]+)?", Units::decimal),
    FACTOR("number above 0", "[0-9]+(\\.[0-9]+)?", ScalarType::factor),
    SIZE("size", Units.SIZE.pattern(), Units::size),
    SIZES("size or range of sizes", "", ValueSyntax::sizes),
    BYTERATE("bytes per second", Units.RATE.pattern(), Units::byteRate),
    AMOUNT("size or share of free memory", "", ValueSyntax::amount),
    DURATION("duration", Units.DURATION.pattern(), Units::duration),
    SECONDS("whole seconds", Units.DURATION.pattern(), ScalarType::seconds),
    LENGTH(
            "whole seconds or none",
            "none|" + Units.DURATION.pattern(),
            text -> text.equals("none") ? text : seconds(text)),
    PERCENT("percentage", Units.PERCENT.pattern(), Units::share),
    RATE("rate", Units.RATE.pattern(), Units::rate),
    PACE("rate", "", PaceSyntax::pace),
    STEP("step", ".+ for .+", PaceSyntax::steps),
    BURST("burst", ".+ every .+", PaceSyntax::burst),
    VERSION(
            "release",
            "[0-9]+\\.[0-9]+\\.[0-9]+",
            "[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}",
            "not an exact Kafka release; write it like 4.4.0"),
    SERVER("broker, controller or process of the bridge", "", ScalarType::server),
    ADDRESS("address", "", ValueSyntax::address),
    ADDRESSES("list of addresses", "", ValueSyntax::addresses),
    URL("address of a page", ValueSyntax.URL, ValueSyntax::url),
    BACKLOG("amount", "", ValueSyntax::backlog),
    EXPECTATION("expectation", "", ExpectationParser::parse),
    ATTRIBUTE(
            "attribute of an event",
            "[a-z0-9]+",
            "[a-z0-9]{1,64}",
            "not an attribute name; use a-z and 0-9, as in type or source"),
    SECRET(
            "reference to a secret",
            "",
            "\\$\\{(env|file|secret):[^}]+}",
            "not a reference to a secret; write ${env:NAME} or ${file:PATH}"),
    WEBSERVER("address of a server", "", Text.SERVER, "not a server address; write http://HOST:PORT"),
    NAMESPACE(
            "namespace",
            Text.LABEL,
            Text.LABEL,
            "not a namespace; use up to 63 of a-z, 0-9 and -, without - at either end"),
    STORAGECLASS(
            "storage class",
            Text.DNS_NAME,
            "(?=.{1,253}$)" + Text.DNS_NAME,
            "not a storage class; use a-z, 0-9, - and ., as in kubectl get storageclass"),
    LABEL(
            "label",
            "(" + Text.DNS_NAME + "/)?" + Text.NAME,
            "(?=.{0,253}/|[^/]*$)(" + Text.DNS_NAME + "/)?" + Text.NAME,
            "not a label of Kubernetes; write NAME or PREFIX/NAME, with up to 63 of A-Z, a-z, 0-9, -, _ and . in NAME"),
    LABELVALUE(
            "label value",
            "(" + Text.NAME + ")?",
            "(" + Text.NAME + ")?",
            "not a label value of Kubernetes; use up to 63 of A-Z, a-z, 0-9, -, _ and ., with a letter or digit at"
                    + " both ends"),
    IMAGE(
            "image",
            Text.IMAGE,
            "(?=.{1,455}$)" + Text.IMAGE,
            "not an image; write it like registry.example.com/weir:0.1.0"),
    CAVEAT("caveat", "", CaveatType::named),
    COMPARISON("comparison", ".+ / .+|.+ from .+ to .+", ValueSyntax::comparison);

    private static final class Text {
        static final String SERVER = "https?://[^/?#\\s@]+(/[^?#\\s]*)?";
        static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
        static final String DNS_NAME = LABEL + "(\\." + LABEL + ")*";
        static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
        static final String DOMAIN = "[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?";
        static final String PART = "[a-z0-9]+((\\.|__?|-+)[a-z0-9]+)*";

        /** An image: a host with a dot, a port or the name localhost, then a path, then a tag, a digest or both. */
        static final String IMAGE = "(" + DOMAIN + "(\\." + DOMAIN + ")*(:[0-9]{1,5})?/)?" + PART + "(/" + PART
                + ")*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?";
    }

    /** The longest accepted value, because long texts would make the patterns slow. */
    private static final int LONGEST = 4_000;

    private static Pattern regex(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + text + "' is not a regular expression: " + e.getDescription());
        }
    }

    private final String called;
    private final String pattern;

    @SuppressWarnings("ImmutableEnumChecker") // the functions are methods without state
    private final Function<String, ?> reader;

    ScalarType(String called, String pattern, Function<String, ?> reader) {
        this.called = called;
        this.pattern = pattern;
        this.reader = reader;
    }

    /** Accepts texts that match a whole pattern. For other texts, {@code wrong} ends the message "'TEXT' is …". */
    ScalarType(String called, String shown, String whole, String wrong) {
        this(called, shown, matching(Pattern.compile(whole), wrong));
    }

    private static Function<String, ?> matching(Pattern whole, String wrong) {
        return text -> {
            if (whole.matcher(text).matches()) {
                return text;
            }
            // An address may contain a password.
            String shown = text.replaceFirst("(?<=://)[^/?#\\s]*@", "***@");
            throw new IllegalArgumentException("'" + shown + "' is " + wrong);
        };
    }

    static ScalarType named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    public String called() {
        return called;
    }

    /** A regular expression for the whole value; empty if only {@link #check} can decide. */
    public String pattern() {
        return this == SERVER ? servers() : pattern;
    }

    /**
     * Checks whether a value is readable.
     *
     * @throws IllegalArgumentException with the accepted values
     */
    public void check(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("must be at most " + LONGEST + " characters, found " + text.length()
                    + " in '" + text.substring(0, 20) + "…'");
        }
        read(text);
    }

    public Object read(String text) {
        return reader.apply(text);
    }

    /** The value as a number for limits; NaN if the value is not a number. */
    double amount(String text) {
        Object value = read(text);
        if (value instanceof Duration time) {
            return time.toNanos();
        }
        if (value instanceof ByteSize size) {
            return size.bytes();
        }
        if (value instanceof Rate rate) {
            return rate.perSecond();
        }
        if (value instanceof RateSpec pace) {
            return pace.highest(new RateSpec.Senders(1, 1));
        }
        return value instanceof Ratio ratio
                ? ratio.share()
                : value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static Duration seconds(String text) {
        Duration length = Units.duration(text);
        if (length.equals(Duration.ofSeconds(length.toSeconds()))) {
            return length;
        }
        throw new IllegalArgumentException("must be whole seconds, found '" + text + "'; write "
                + length.plusSeconds(1).toSeconds() + "s");
    }

    private static Double factor(String text) {
        double factor = Units.decimal(text);
        if (factor > 0) {
            return factor;
        }
        throw new IllegalArgumentException("must be above 0, found '" + text + "'");
    }

    private static Boolean flag(String text) {
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new IllegalArgumentException("must be true or false, found '" + text + "'");
    }

    public static DisturbanceSpec.Server server(String text) {
        if (!text.matches(servers())) {
            throw Units.unreadable(text, "a broker, the active controller or a process of the bridge", "broker 2");
        }
        String[] words = text.split(" ", 2);
        return new DisturbanceSpec.Server(words[0], words.length == 1 ? 0 : Integer.parseInt(words[1]));
    }

    private static String servers() {
        return Features.each(BridgeKind.class).stream()
                .flatMap(bridge -> bridge.servers().stream())
                .collect(Collectors.joining("|", "broker [1-9][0-9]{0,3}|controller|", ""));
    }
}
