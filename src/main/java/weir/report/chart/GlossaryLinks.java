package weir.report.chart;

import java.util.Optional;
import weir.plan.syntax.Glossary;

/** The words of the report as links into its glossary, and the glossary; both work without scripts. */
public final class GlossaryLinks {
    private GlossaryLinks() {}

    /** A text that is a link where the glossary explains it. */
    public static Html linked(String text) {
        Optional<Glossary.Word> word = Glossary.find(text).filter(found -> !found.exit());
        return text.isBlank() || word.isEmpty()
                ? new Html().text(text)
                : new Html().element("a", text, "class", "word", "href", "#" + id(word.get()));
    }

    public static Html glossary() {
        Html html = new Html();
        html.open("dl", "class", "words");
        for (Glossary.Word word : Glossary.words()) {
            if (!word.exit()) {
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
                .text("The same for a terminal, and all caveats and exit codes: ")
                .element("code", "weir explain WORD")
                .close();
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
