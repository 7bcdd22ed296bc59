package weir.report;

import java.util.List;
import java.util.Locale;
import weir.results.Caveat;
import weir.results.ExpectResult;
import weir.results.Written;

/** What was promised, and every named reason to doubt a number. */
final class Doubts {
    private Doubts() {}

    static Html expectations(Story story) {
        Html html = new Html();
        html.open("ul", "class", "verdicts");
        for (ExpectResult expect : story.expect()) {
            html.open("li", "class", look(expect.verdict()));
            html.element("b", expect.verdict()).text(" ").element("code", expect.text());
            if (expect.value() != null) {
                String interval = expect.low() == null || expect.high() == null
                        ? ""
                        : " [" + Written.number(expect.low()) + ", " + Written.number(expect.high()) + "]";
                html.element("span", "found " + Written.number(expect.value()) + interval, "class", "found");
            }
            html.close();
        }
        return html.close();
    }

    private static String look(String verdict) {
        return switch (verdict) {
            case "held" -> "good";
            case "failed" -> "bad";
            default -> "open";
        };
    }

    static Html caveats(Story story) {
        Html html = new Html();
        for (Caveat caveat : story.caveats()) {
            String level = caveat.level().name().toLowerCase(Locale.ROOT);
            String[] attributes = caveat.level() == Caveat.Level.INVALID
                    ? new String[] {"class", "caveat " + level, "open", ""}
                    : new String[] {"class", "caveat " + level};
            html.open("details", attributes).open("summary");
            html.element("span", level, "class", "level").element("b", caveat.type());
            html.element("span", where(story, caveat), "class", "where").close();
            html.element("p", caveat.evidence());
            String accepted = story.asked().accepted().get(caveat.type());
            if (accepted != null) {
                html.element("p", "Accepted in the experiment: " + accepted, "class", "accepted");
            }
            if (!caveat.advice().isBlank()) {
                html.element("p", caveat.advice(), "class", "do");
            }
            html.close();
        }
        return html;
    }

    private static String where(Story story, Caveat caveat) {
        List<String> names = story.passes().stream()
                .filter(pass -> caveat.trial() != null && pass.result().trial() == caveat.trial())
                .map(Pass::label)
                .toList();
        String what = caveat.weakens().isBlank() ? "" : "weakens " + caveat.weakens();
        String whose = names.isEmpty() ? "" : (what.isEmpty() ? "" : " of ") + names.get(0);
        return what + whose;
    }
}
