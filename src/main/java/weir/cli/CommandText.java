package weir.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import weir.plan.property.Redact;
import weir.plan.syntax.ShellWord;

/** The command as the user typed it, to be typed again, with secrets hidden. */
public final class CommandText {
    private CommandText() {}

    public static String of(CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of("weir"));
        for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
            words.add(ShellWord.of(hidden(word)));
        }
        return String.join(" ", words);
    }

    /** The same word, its value hidden when the name before its last equals sign is that of a secret. */
    public static String hidden(String word) {
        for (int at = word.indexOf('='); at >= 0; at = word.indexOf('=', at + 1)) {
            String name = word.substring(0, at).replaceFirst("^(-X|--set=)", "");
            String property = name.replaceFirst("^.*\\b(producer|consumer|client|broker|config)\\.", "");
            if (Redact.secret(property)) {
                return word.substring(0, at + 1) + Redact.HIDDEN;
            }
        }
        return word;
    }
}
