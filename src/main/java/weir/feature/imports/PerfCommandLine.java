package weir.feature.imports;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.syntax.Tree;

/** A reader of command lines of Kafka's performance tools. */
final class PerfCommandLine {
    private static final String DOUBLE = "\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"";
    private static final Pattern WORD =
            Pattern.compile("(?:" + DOUBLE + "|'[^']*'|\\\\.|[^\\s\"'\\\\]++)+", Pattern.DOTALL);
    private static final Pattern QUOTED = Pattern.compile(DOUBLE + "|'([^']*)'|\\\\(.)", Pattern.DOTALL);

    private PerfCommandLine() {}

    /** The flags of a command line, by name. No flags if it starts none of the tools. */
    static SourceKeys read(String command, Tree.Section table) {
        List<String> words = words(command);
        SourceKeys keys = new SourceKeys();
        Iterator<String> rest = words.iterator();
        String tool = "";
        while (tool.isEmpty() && rest.hasNext()) {
            String word = rest.next().replaceFirst(".*[/.](?!sh$|bat$)", "").replaceFirst("\\.(sh|bat)$", "");
            tool = table.section("tools").text(word);
        }
        if (tool.isEmpty()) {
            return keys;
        }
        keys.put("tool", tool);
        List<String> left = new ArrayList<>();
        rest.forEachRemaining(left::add);
        if (!left.isEmpty() && !left.get(0).startsWith("--")) {
            List<String> names = table.texts("positions of " + tool);
            for (int i = 0; i < left.size(); i++) {
                keys.put(i < names.size() ? names.get(i) : left.get(i), i < names.size() ? left.get(i) : "");
            }
            return keys;
        }
        flags(left, table.texts("properties"), keys);
        return keys;
    }

    private static void flags(List<String> words, List<String> properties, SourceKeys keys) {
        String flag = "";
        for (String word : words) {
            int equals = word.indexOf('=');
            if (word.startsWith("--")) {
                flag = equals < 0 ? word : word.substring(0, equals);
                if (!properties.contains(flag)) {
                    keys.put(flag, equals < 0 ? "" : word.substring(equals + 1));
                } else if (equals > 0) {
                    property(flag, word.substring(equals + 1), keys);
                }
            } else if (properties.contains(flag)) {
                property(flag, word, keys);
            } else {
                keys.put(flag.isEmpty() ? word : flag, word);
            }
        }
    }

    private static void property(String flag, String word, SourceKeys keys) {
        for (String property : word.split(",(?=[a-z.]+=)", -1)) {
            int equals = property.indexOf('=');
            keys.put(
                    flag + "." + (equals < 0 ? property : property.substring(0, equals)),
                    equals < 0 ? "" : property.substring(equals + 1));
        }
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command.replaceAll("\\\\\r?\n", " "));
        while (word.find()) {
            words.add(QUOTED.matcher(word.group()).replaceAll(quoted -> {
                String inside = quoted.group(1) != null
                        ? quoted.group(1).replaceAll("\\\\(.)", "$1")
                        : quoted.group(2) != null ? quoted.group(2) : quoted.group(3);
                return Matcher.quoteReplacement(inside);
            }));
        }
        return words;
    }
}
