package weir.plan;

/**
 * One thing wrong with what was asked: where, and what to do about it. Line and column count from 1; a line of zero
 * means the whole source, an empty {@code excerpt} that there is no line to show.
 */
public record Problem(String source, int line, int column, String excerpt, String message) {
    /** A problem of a whole file or command line. */
    public static Problem of(String source, String message) {
        return new Problem(source, 0, 0, "", message);
    }

    /** {@code file:line:column: message}, and below it the line with a caret. */
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
