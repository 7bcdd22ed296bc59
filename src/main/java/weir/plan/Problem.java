package weir.plan;

import java.util.Set;
import java.util.function.IntFunction;

/**
 * One mistake in the user's input. Line and column count from 1; line 0 means the whole source. An empty {@code
 * excerpt} means that no line is shown.
 */
public record Problem(String source, int line, int column, String excerpt, String message) {
    private static final int LONGEST = 800;

    private static final Set<Integer> HIDDEN = Set.of(
            (int) Character.CONTROL,
            (int) Character.FORMAT,
            (int) Character.SURROGATE,
            (int) Character.PRIVATE_USE,
            (int) Character.UNASSIGNED);

    public Problem {
        excerpt = shown(excerpt, c -> "\ufffd");
        message = shown(shortened(message), c -> String.format("\\u%04x", c));
    }

    public static Problem of(String source, String message) {
        return new Problem(source, 0, 0, "", message);
    }

    /** A value for a message, without its end if it is long. */
    public static String beginning(String value) {
        return value.length() > 40 ? value.substring(0, 40) + "…" : value;
    }

    /** Removes the middle of a long text, because the end usually contains the advice. */
    private static String shortened(String text) {
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST / 2) + " … " + text.substring(text.length() - LONGEST / 2);
    }

    /** Replaces control characters, so that a file can neither move the terminal's cursor nor hide its text. */
    private static String shown(String text, IntFunction<String> instead) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean hidden = c != '\n' && c != '\t' && HIDDEN.contains(Character.getType(c));
            shown.append(hidden ? instead.apply(c) : Character.toString(c));
        });
        return shown.toString();
    }

    /** Returns {@code file:line:column: message}, then the line and a caret. */
    public String text() {
        StringBuilder text = new StringBuilder(source);
        if (line > 0) {
            text.append(':').append(line);
            if (column > 0) {
                text.append(':').append(column);
            }
        }
        text.append(text.isEmpty() ? "" : ": ").append(message);
        if (!excerpt.isEmpty()) {
            String number = String.format("%5d", line);
            text.append('\n').append(number).append(" | ").append(excerpt);
            text.append('\n').append("      | ").append(" ".repeat(column - 1)).append('^');
        }
        return text.toString();
    }
}
