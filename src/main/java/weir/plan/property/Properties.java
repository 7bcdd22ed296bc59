package weir.plan.property;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.NearestWord;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;

/** The properties of Kafka's clients, from {@code client-properties.txt}, and the rules for setting them. */
public final class Properties {
    private static final Map<String, Known> KNOWN = read();

    private static final Tree.Section RULES = Keys.rows("property-rules.yaml");

    private static final Tree.Section OWN = RULES.section("own");

    private static final Tree.Section BROKER_OWN = RULES.section("own of brokers");

    private static final Pattern RANGE = Pattern.compile("\\[([^,]*?),?\\.\\.\\.,?([^,]*)]");

    private static final Pattern SPRING =
            Pattern.compile("^spring\\.kafka\\.((producer|consumer|admin)\\.)?(properties\\.)?");

    private static final Pattern WORDS = Pattern.compile("(\\(case insensitive\\) )?\\[(.+)]");

    /**
     * A client property: the clients that know it, its type, default and accepted values, all from Kafka's definition.
     * A text is empty if the definition lacks it.
     */
    public record Known(Set<String> clients, String type, String fallback, String taken) {}

    private Properties() {}

    public static Map<String, Known> known() {
        return KNOWN;
    }

    /**
     * Checks one entry of a property map.
     *
     * @param where the path of the map in {@code keys.yaml}
     * @param text its value; {@code null} drops it
     * @throws IllegalArgumentException with the mistake
     */
    public static void check(String where, String name, Tree.Text text) {
        String value = text.text();
        boolean reference = value.contains("${");
        if (!text.isNull()) {
            checkSecret(name, value);
        }
        boolean broker = where.equals("cluster.broker") || where.equals("cluster.brokers.broker");
        if (broker && BROKER_OWN.has(name)) {
            throw new IllegalArgumentException("is set by Weir: " + BROKER_OWN.text(name));
        }
        if (where.startsWith("topics.") && reference) {
            throw new IllegalArgumentException(
                    "'" + value + "' is a reference, which Weir replaces only in client properties");
        }
        String client = client(where);
        if (client.isEmpty() || name.startsWith("config.providers")) {
            return;
        }
        // The user may set the id for one load's producers with transactions.
        boolean chosen = where.equals("load.producer") && name.equals("transactional.id");
        boolean settled = client.equals("client") && name.equals(Bootstrap.PROPERTY);
        if (OWN.has(name) && !chosen && !settled) {
            throw new IllegalArgumentException("is set by Weir: " + OWN.text(name));
        }
        Known known = KNOWN.get(name);
        if (known == null || (!client.equals("client") && !known.clients().contains(client))) {
            List<String> names = new ArrayList<>();
            KNOWN.forEach((each, facts) -> {
                if (client.equals("client") || facts.clients().contains(client)) {
                    names.add(each);
                }
            });
            String meant = NearestWord.meant(name, names);
            throw new IllegalArgumentException("is not a property of a Kafka " + client
                    + (meant.isEmpty() ? "; properties of a plugin go under plugin:" : meant));
        }
        if (!reference && !text.isNull()) {
            checkType(known.type(), value);
            checkTaken(known, value.strip());
        }
    }

    /** The reason why Weir ignores a property from a shared file; empty for other properties. */
    public static String withoutEffect(String name) {
        return name.equals(Bootstrap.PROPERTY) ? "" : OWN.text(name);
    }

    /** True if the value of a plugin's property is not secret. Other properties of plugins may be secret. */
    static boolean harmless(String name) {
        return RULES.section("harmless").has(name);
    }

    /** The reason why a name may be a mistake, as the rest of a sentence; empty for a known name. */
    public static String doubt(String name) {
        if (KNOWN.containsKey(name) || name.startsWith("config.providers")) {
            return "";
        }
        String kafkas = SPRING.matcher(name).replaceFirst("").replace('-', '.');
        if (KNOWN.containsKey(kafkas)) {
            return "is Spring's name; Kafka's name is '" + kafkas + "'";
        }
        return "is not a property of a Kafka client" + NearestWord.meant(name, KNOWN.keySet());
    }

    /** Refuses a secret in plain text, even if no other rule is checked. */
    public static void checkSecret(String name, String value) {
        boolean literal = !Redact.spelledOut(value).isEmpty();
        if (Redact.secret(name) && (literal || !value.contains("${"))) {
            throw new IllegalArgumentException(
                    "a secret must not be in the file; write ${env:NAME} or ${file:PATH:KEY}");
        }
    }

    private static String client(String where) {
        return switch (where) {
            case "load.producer", "bridge.gateway.producer", "bridge.producer" -> "producer";
            case "load.consumer", "bridge.consumer" -> "consumer";
            case "cluster.client" -> "client";
            default -> "";
        };
    }

    private static void checkType(String type, String value) {
        String wanted = switch (type) {
            case "int", "long", "short" ->
                value.strip().matches("[+-]?[0-9]{1,19}") ? "" : "a whole number without a unit";
            case "double" ->
                value.strip().matches("[+-]?[0-9]{1,19}(\\.[0-9]{1,19})?([eE][+-]?[0-9]{1,2})?") ? "" : "a number";
            case "boolean" -> value.strip().matches("(?i)true|false") ? "" : "true or false";
            default -> "";
        };
        if (!wanted.isEmpty()) {
            throw new IllegalArgumentException("'" + value + "' is not allowed here; Kafka takes " + wanted);
        }
    }

    private static void checkTaken(Known known, String value) {
        Matcher range = RANGE.matcher(known.taken());
        if (range.matches()) {
            BigDecimal number = new BigDecimal(value);
            boolean below = !range.group(1).isEmpty() && number.compareTo(new BigDecimal(range.group(1))) < 0;
            boolean above = !range.group(2).isEmpty() && number.compareTo(new BigDecimal(range.group(2))) > 0;
            BigDecimal largest = largest(known.type());
            if (below || above || number.abs().compareTo(largest) > 0) {
                String to = range.group(2).isEmpty() ? largest.toPlainString() : range.group(2);
                String bounds = range.group(1).isEmpty() ? "at most " + to : "between " + range.group(1) + " and " + to;
                throw new IllegalArgumentException("must be " + bounds + ", found '" + value + "'");
            }
            return;
        }
        Matcher words = WORDS.matcher(known.taken());
        if (words.matches() && !known.taken().contains(":") && !known.taken().contains("...")) {
            List<String> taken = List.of(words.group(2).split(", "));
            boolean anyCase = words.group(1) != null;
            if (taken.stream().noneMatch(word -> anyCase ? word.equalsIgnoreCase(value) : word.equals(value))) {
                throw new IllegalArgumentException("'" + value + "' is not allowed here; Kafka takes "
                        + String.join(", ", taken) + NearestWord.meant(value, taken));
            }
        }
    }

    private static BigDecimal largest(String type) {
        return BigDecimal.valueOf(
                switch (type) {
                    case "int" -> Integer.MAX_VALUE;
                    case "short" -> Short.MAX_VALUE;
                    default -> Long.MAX_VALUE;
                });
    }

    private static Map<String, Known> read() {
        Map<String, Known> known = new LinkedHashMap<>();
        for (List<String> row : Keys.columns("client-properties.txt")) {
            known.put(row.get(0), new Known(Set.of(row.get(2).split(",")), row.get(1), row.get(3), row.get(4)));
        }
        return known;
    }
}
