package weir.plan.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import weir.plan.read.ExpectationParser;

/** The words of reports, of the terminal and of exit codes with what they mean, from {@code words.yaml}. */
public final class Glossary {
    private static final Map<String, Word> WORDS = read();
    /** A statistic behind the name of a figure, and what a figure is at. */
    private static final Pattern STATISTIC = Pattern.compile("(?: ?p[0-9]{1,2}(?:\\.[0-9]+)?| mean| max)?(?: at .*)?$");

    private Glossary() {}

    /**
     * A word that is explained.
     *
     * @param measured how, where the meaning does not say it
     * @param takes which statistics an expectation may ask for; empty where it is one number
     */
    public record Word(String name, String kind, String meaning, String measured, String unit, String takes) {
        /** An exit code of the program, which no report prints. */
        public boolean exit() {
            return kind.equals("exit");
        }
    }

    /** Every word, in the order of the file. */
    public static List<Word> words() {
        return List.copyOf(WORDS.values());
    }

    /** The word for a heading or for what somebody asks: "response p99" is response, "p99.9" a percentile, "99" an exit code. */
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

    static List<String> names() {
        return List.copyOf(WORDS.keySet());
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static Map<String, Word> read() {
        Map<String, Word> words = new LinkedHashMap<>();
        Keys.table("words.yaml").entries().forEach((name, tree) -> {
            Tree.Section facts = (Tree.Section) tree;
            words.put(
                    name,
                    new Word(
                            name,
                            text(facts, "kind"),
                            text(facts, "meaning"),
                            text(facts, "measured"),
                            text(facts, "unit"),
                            text(facts, "takes")));
        });
        return words;
    }

    private static String text(Tree.Section facts, String fact) {
        return facts.entries().get(fact) instanceof Tree.Text text ? text.text() : "";
    }

    /** A word as {@code weir explain} prints it. */
    static List<String> lines(Word word) {
        List<String> lines = new ArrayList<>();
        lines.add(word.name());
        lines.add("  " + word.meaning());
        List<String> rows = new ArrayList<>();
        row(rows, "kind", word.kind());
        row(rows, "measured", word.measured());
        row(rows, "unit", word.unit());
        row(rows, "takes", word.takes());
        if (word.takes().isEmpty() && ExpectationParser.METRICS.contains(word.name())) {
            row(rows, "takes", "nothing: it is one number");
        }
        lines.add("");
        lines.addAll(rows);
        return lines;
    }

    private static void row(List<String> rows, String label, String value) {
        if (!value.isEmpty()) {
            rows.add("  " + label + " ".repeat(KeyExplanation.COLUMN - label.length()) + value);
        }
    }
}
