package weir.plan.syntax;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import weir.plan.EnumNames;
import weir.plan.Metric;

/** The words in reports, terminal output and exit codes, with their meanings, from {@code words.yaml}. */
public final class Glossary {
    private static final Map<String, Word> WORDS = new LinkedHashMap<>();
    private static final Map<String, Metric> METRICS = new LinkedHashMap<>();

    static {
        Keys.table("words.yaml").entries().forEach((name, facts) -> read(name, (Tree.Section) facts));
    }

    private static final Pattern STATISTIC = Pattern.compile("(?: ?p[0-9]{1,2}(?:\\.[0-9]+)?| mean| max)?(?: at .*)?$");

    private Glossary() {}

    /**
     * A word and its explanation.
     *
     * @param measured the method of measurement, if the meaning lacks it
     * @param takes the statistics for an expectation; empty if the metric is a single number
     */
    public record Word(String name, String kind, String meaning, String measured, String unit, String takes) {
        /** True if reports link the word to their glossary, except for exit codes and titles of sections. */
        public boolean linked() {
            return !exit() && !kind.equals("section");
        }

        public boolean exit() {
            return kind.equals("exit");
        }
    }

    public static List<Word> words() {
        return List.copyOf(WORDS.values());
    }

    /** Finds a heading or query: "response p99" finds response, "p99.9" a percentile, "99" an exit code. */
    public static Optional<Word> find(String text) {
        String name = text.strip();
        for (String candidate : List.of(name, lower(name), "exit " + name)) {
            if (WORDS.containsKey(candidate)) {
                return Optional.of(WORDS.get(candidate));
            }
        }
        String figure = lower(STATISTIC.matcher(name).replaceFirst(""));
        if (figure.isEmpty() && !name.isEmpty()) {
            return Optional.ofNullable(WORDS.get(name.equals("mean") || name.equals("max") ? name : "percentile"));
        }
        return Optional.ofNullable(WORDS.get(figure.replaceFirst("^p[0-9.]+ ", "")));
    }

    public static List<String> names() {
        return List.copyOf(WORDS.keySet());
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    public static Map<String, Metric> metrics() {
        return Collections.unmodifiableMap(METRICS);
    }

    private static void read(String name, Tree.Section facts) {
        Optional<Metric.Kind> kind = Arrays.stream(Metric.Kind.values())
                .filter(each -> EnumNames.of(each).equals(facts.text("kind")))
                .findFirst();
        kind.ifPresent(each -> METRICS.put(name, metric(name, each, facts)));
        WORDS.put(
                name,
                new Word(
                        name,
                        facts.text("kind"),
                        facts.text("meaning"),
                        facts.text("measured"),
                        facts.text("unit"),
                        kind.map(Metric.Kind::statistics).orElse("")));
    }

    private static Metric metric(String name, Metric.Kind kind, Tree.Section facts) {
        List<Metric.Need> needs = facts.items("needs").stream()
                .map(item -> EnumNames.constant(item.line(), Metric.Need.class))
                .toList();
        Metric.Known known =
                facts.has("known") ? EnumNames.constant(facts.text("known"), Metric.Known.class) : kind.known();
        return new Metric(
                name, kind, facts.text("unit"), known, facts.text("better").equals("more"), needs);
    }
}
