package weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import weir.plan.property.Redact;
import weir.plan.syntax.Paths;
import weir.plan.syntax.ShellWord;

/** The user's command line, as text for a shell with all secrets hidden. */
public final class CommandText {
    private static final Pattern PROPERTIES =
            Pattern.compile("^(-X|--(command-property|producer-props|producer-property)\\b)");

    private static final Pattern CLIENT = Pattern.compile("\\b(producer|consumer|client)\\.");
    private static final Pattern MAP = Pattern.compile("^.*\\b(producer|consumer|client|broker|config)\\.(plugin\\.)?");

    private static final Pattern PLUGINS = Pattern.compile("\\s*\\{.*\\b" + Paths.PLUGIN + "\\b.*", Pattern.DOTALL);

    private CommandText() {}

    public static String of(CommandSpec spec) {
        List<String> words = new ArrayList<>(List.of("weir"));
        boolean properties = false;
        for (String word : spec.root().commandLine().getParseResult().originalArgs()) {
            if (word.startsWith("-")) {
                properties = PROPERTIES.matcher(word).find();
            }
            words.add(ShellWord.of(hidden(word, properties)));
        }
        return String.join(" ", words);
    }

    /**
     * Hides the value in {@code NAME=VALUE} if the name belongs to a secret.
     *
     * @param properties true if NAME is a client property, false if NAME is a path in an experiment
     */
    public static String hidden(String word, boolean properties) {
        for (int at = word.indexOf('='); at >= 0; at = word.indexOf('=', at + 1)) {
            String path = word.substring(0, at).replaceFirst("^(-X|--[a-z.-]+=)", "");
            String name = MAP.matcher(path).replaceFirst("");
            boolean client = !path.startsWith("--")
                    && (properties || CLIENT.matcher(path).find());
            String value = word.substring(at + 1);
            if (Redact.secret(name)
                    || (client && Redact.hides(name, value))
                    || PLUGINS.matcher(value).matches()) {
                return word.substring(0, at + 1) + Redact.HIDDEN;
            }
        }
        return Redact.users(word);
    }
}
