package weir.judge.answer;

import java.util.List;
import java.util.Locale;

/**
 * One sentence of an answer, with the most important clause first. Clauses without room are omitted.
 *
 * @param of the subject of the clauses, such as "variant" in "3 more variants below"; may be empty
 */
record AnswerSentence(String start, List<String> clauses, String end, String of) {
    AnswerSentence {
        clauses = List.copyOf(clauses);
        if (clauses.isEmpty()) {
            throw new IllegalArgumentException("a sentence must have a clause");
        }
    }

    static AnswerSentence of(List<String> clauses) {
        return new AnswerSentence("", clauses, "", "");
    }

    static AnswerSentence of(String clause) {
        return of(List.of(clause));
    }

    static AnswerSentence each(String of, String start, List<String> clauses, String remark) {
        return new AnswerSentence(start, clauses, remark.isEmpty() ? "" : "; " + remark, of);
    }

    String text(int room) {
        for (int shown = clauses.size(); shown > 1; shown--) {
            String text = text(shown, clauses.size() - shown);
            if (text.length() <= room) {
                return text;
            }
        }
        String text = text(1, clauses.size() - 1);
        return text.length() <= room
                ? text
                : text.substring(0, Math.max(0, text.lastIndexOf(' ', Math.max(0, room - 2)))) + " …";
    }

    boolean each() {
        return !of.isEmpty();
    }

    String text() {
        return text(clauses.size(), 0);
    }

    int shortest() {
        return text(1, clauses.size() - 1).length();
    }

    private String text(int shown, int omitted) {
        String text = start + String.join("; ", clauses.subList(0, shown))
                + (each() && omitted > 0 ? "; " + omitted + " more " + of + (omitted > 1 ? "s" : "") + " below" : "")
                + end
                + ".";
        // The name of a setting stays unchanged.
        return text.matches("(?s)\\p{Ll}+ .*")
                ? text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1)
                : text;
    }
}
