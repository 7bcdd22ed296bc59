package weir.feature.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Tree;
import weir.probe.Finding;
import weir.probe.Finding.Verdict;

/**
 * A row of {@code advice.yaml}: a rule for brokers and their hosts, which turns facts into a verdict.
 *
 * @param source name of the public document that contains the rule
 */
record AdviceRule(String name, Tree.Section row, String source, String url) {
    private static final Pattern FACT = Pattern.compile("\\{([\\w.-]+)(#|/\\w+)?}");

    static final List<AdviceRule> ALL = read();

    record Advice(Finding finding, AdviceRule rule) {}

    private static List<AdviceRule> read() {
        Tree.Section table = Keys.rows("/weir/feature/advice/advice.yaml");
        List<AdviceRule> all = new ArrayList<>();
        table.section("rules").entries().forEach((name, facts) -> {
            Tree.Section row = (Tree.Section) facts;
            String[] source = row.text("source").split(" ", 2);
            Tree.Section document = table.section("sources").section(source[0]);
            all.add(
                    source.length == 1
                            ? new AdviceRule(name, row, document.text("name"), document.text("url"))
                            : new AdviceRule(
                                    name,
                                    row,
                                    document.text("name") + ", " + source[1],
                                    document.text("url") + source[1]));
        });
        return List.copyOf(all);
    }

    static List<AdviceRule> about(String kind) {
        return ALL.stream().filter(rule -> rule.text("about").equals(kind)).toList();
    }

    String text(String key) {
        return row.text(key);
    }

    /** False if the check of the measuring machine applies the same rule. */
    boolean judges() {
        return row.has("cases");
    }

    /**
     * @param of name of the process with these facts; empty if only one is possible
     * @param at text that is appended to the meaning of the finding
     */
    Advice on(AdviceFacts facts, String of, String at) {
        Finding found = judged(facts);
        return advice(new Finding(
                of.isEmpty() ? name : name + " of " + of,
                found.figure(),
                found.verdict(),
                found.meaning() + at,
                found.advice()));
    }

    Advice advice(Finding finding) {
        return new Advice(finding, this);
    }

    private Finding judged(AdviceFacts facts) {
        try {
            row.items("needs").forEach(fact -> facts.fact(fact.line()));
            String figure = filled(text("figure"), facts);
            for (Tree item : row.items("cases")) {
                Tree.Section each = (Tree.Section) item;
                if (!each.has("when")
                        || Stream.of(each.text("when").split(" and ", -1)).allMatch(test -> holds(test, facts))) {
                    return finding(each, figure, facts);
                }
            }
            throw new AssertionError("the last case of advice rule '" + name + "' must have no condition");
        } catch (AdviceFacts.Unknown e) {
            return new Finding(name, "", Verdict.UNKNOWN, String.valueOf(e.getMessage()), "");
        }
    }

    private Finding finding(Tree.Section each, String figure, AdviceFacts facts) {
        Verdict verdict = Stream.of(Verdict.FINE, Verdict.DOUBT, Verdict.BAD)
                .filter(one -> each.has(word(one)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("a case of advice rule '" + name + "' has no verdict"));
        String advice = verdict == Verdict.FINE ? "" : each.has("do") ? each.text("do") : text("do");
        return new Finding(
                name,
                each.has("figure") ? filled(each.text("figure"), facts) : figure,
                verdict,
                filled(each.text(word(verdict)), facts),
                filled(advice, facts));
    }

    /** Tests {@code fact < 3}, {@code > another}, {@code = 0}, {@code contains word} or {@code in one,other}. */
    private static boolean holds(String test, AdviceFacts facts) {
        String[] words = test.split(" ", 3);
        AdviceFacts.Fact fact = facts.fact(words[0]);
        if (words[1].equals("contains")) {
            return fact.text().contains(words[2]);
        }
        if (words[1].equals("in")) {
            return List.of(words[2].split(",", -1)).contains(fact.text());
        }
        double bound = words[2].matches("\\d+(\\.\\d+)?")
                ? Double.parseDouble(words[2])
                : facts.fact(words[2]).number();
        return switch (words[1]) {
            case "<" -> fact.number() < bound;
            case "<=" -> fact.number() <= bound;
            case "=" -> fact.number() == bound;
            case ">=" -> fact.number() >= bound;
            case ">" -> fact.number() > bound;
            default -> throw new IllegalArgumentException("unknown test: " + test);
        };
    }

    private static String filled(String text, AdviceFacts facts) {
        return FACT.matcher(text).replaceAll(found -> {
            AdviceFacts.Fact fact = facts.fact(found.group(1));
            String form = found.group(2) == null ? "" : found.group(2);
            return Matcher.quoteReplacement(
                    switch (form) {
                        case "" -> fact.text();
                        case "#" -> String.format(Locale.ROOT, "%.0f", fact.number());
                        case "/KiB" -> AdviceFacts.whole(fact.number() / 1024) + " KiB";
                        case "/of" -> fact.of();
                        default -> throw new IllegalArgumentException("unknown form of a fact: " + form);
                    });
        });
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }
}
