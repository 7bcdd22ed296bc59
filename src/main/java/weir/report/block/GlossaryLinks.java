package weir.report.block;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.plan.syntax.Glossary;
import weir.results.value.NumberFormat;

/** The glossary, and links from the words of a report to the glossary. Both work without scripts. */
public final class GlossaryLinks {
    private static final Set<String> KINDS = Set.of("verdict", "state", "word");

    private static final Pattern TEXT = Pattern.compile("<(?!script)[^<>]*>([^<>]*\\p{L}[^<>]*|[≥–])(?=<)");

    private static final int LONGEST = 50;

    private static final Pattern TERM = Pattern.compile(
            Glossary.words().stream()
                    .filter(word -> KINDS.contains(word.kind()) && !word.name().equals(NumberFormat.MISSING))
                    .map(word -> Pattern.quote(word.name()))
                    .collect(Collectors.joining("|", "(?<![\\p{L}-])(?:", ")(?![\\p{L}-])")),
            Pattern.CASE_INSENSITIVE);

    private GlossaryLinks() {}

    public static Html linked(String text) {
        Optional<Glossary.Word> word = Glossary.find(text).filter(Glossary.Word::linked);
        return text.isBlank() || word.isEmpty()
                ? new Html().text(text)
                : new Html().element("a", text, "class", "word", "href", "#" + id(word.get()));
    }

    /** Lists the words that the markup links to or shows, in the order of their file; empty without words. */
    public static Html glossary(List<Html> shown) {
        Set<Glossary.Word> used = new HashSet<>();
        shown.forEach(html -> collect(html.toString(), used));
        Html html = new Html();
        if (used.isEmpty()) {
            return html;
        }
        html.open("dl", "class", "words");
        for (Glossary.Word word : Glossary.words()) {
            if (used.contains(word)) {
                html.open("div", "id", id(word)).element("dt", word.name());
                html.open("dd").text(word.meaning());
                if (!word.measured().isEmpty()) {
                    html.text("; measured: " + word.measured());
                }
                if (!word.unit().isEmpty()) {
                    html.text(" (" + word.unit() + ")");
                }
                html.close().close();
            }
        }
        html.close();
        return html.open("p", "class", "note")
                .text("To explain any word, caveat or exit code in a terminal: ")
                .element("code", "weir explain WORD")
                .close();
    }

    private static void collect(String markup, Set<Glossary.Word> used) {
        Set<String> texts = new HashSet<>();
        TEXT.matcher(markup).results().forEach(found -> texts.add(found.group(1)));
        for (String text : texts) {
            if (text.length() <= LONGEST) {
                // The figure often follows its owner: "base, response p99".
                String figure = text.substring(text.lastIndexOf(", ") + 1);
                Glossary.find(text)
                        .or(() -> Glossary.find(figure))
                        .filter(Glossary.Word::linked)
                        .ifPresent(used::add);
            }
            TERM.matcher(text)
                    .results()
                    .forEach(found -> Glossary.find(found.group()).ifPresent(used::add));
        }
    }

    private static String id(Glossary.Word word) {
        StringBuilder id = new StringBuilder("word-");
        word.name()
                .codePoints()
                .forEach(c -> id.append(
                        c < 0x80 && Character.isLetterOrDigit(c) ? Character.toString(c) : c == ' ' ? "-" : "." + c));
        return id.toString();
    }
}
