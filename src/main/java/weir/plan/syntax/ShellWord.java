package weir.plan.syntax;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A word quoted for a shell command line. */
public final class ShellWord {
    private static final String DOUBLE = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";
    private static final Pattern WORD =
            Pattern.compile("(?:" + DOUBLE + "|'[^']*'|\\\\.|[^\\s\"'\\\\]++)+", Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile(DOUBLE + "|'([^']*)'|\\\\(.)", Pattern.DOTALL);

    private ShellWord() {}

    public static String of(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The words of a command line, without quotes. */
    public static List<String> split(String command) {
        return WORD.matcher(command)
                .results()
                .map(MatchResult::group)
                .map(word -> QUOTED.matcher(word).replaceAll(quoted -> {
                    String inside = quoted.group(1) != null
                            ? quoted.group(1).replaceAll("\\\\(.)", "$1")
                            : quoted.group(2) != null ? quoted.group(2) : quoted.group(3);
                    return Matcher.quoteReplacement(inside);
                }))
                .toList();
    }
}
