package weir.feature.imports;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.syntax.Origin;
import weir.plan.syntax.Tree;

/** A reader of the constants and object literals of a k6 script. It executes nothing. */
final class K6Script {
    private static final Origin NOWHERE = Origin.unwritten("");
    /** The value of an expression that is not a constant. */
    private static final Tree COMPUTED = new Tree.Items(List.of(Tree.Section.empty(NOWHERE)), NOWHERE);

    private static final List<String> CALLS = List.of(
            "Writer", "\\bnew\\s+(?:[\\w$]+\\.)?(?:Writer|Producer)\\s*\\(",
            "Reader", "\\bnew\\s+(?:[\\w$]+\\.)?(?:Reader|Consumer)\\s*\\(",
            "Connection", "\\bnew\\s+(?:[\\w$]+\\.)?(?:Connection|AdminClient)\\s*\\(",
            "createTopic", "\\.createTopic\\s*\\(",
            "produce", "\\.produce\\s*\\(",
            "consume", "\\.consume\\s*\\(",
            "options", "\\bexport\\s+(?:const|let|var)\\s+options\\s*=");

    private static final Pattern STRING_OR_COMMENT = Pattern.compile(
            "(\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"|'[^'\\\\\n]*+(?:\\\\.[^'\\\\\n]*+)*+'"
                    + "|`[^`\\\\]*+(?:\\\\.[^`\\\\]*+)*+`)|//[^\n]*+|/\\*.*?\\*/",
            Pattern.DOTALL);
    /** The limit of nesting, far above any script and far below a stack overflow. */
    private static final int DEEPEST = 64;

    private static final Pattern ENVIRONMENT = Pattern.compile("\\b__ENV\\.\\w+\\s*(?:\\|\\||\\?\\?)");
    private static final Pattern LOOP = Pattern.compile("\\b(for|while)\\s*\\(");
    private static final Pattern CONSTANT = Pattern.compile("\\b(?:const|let|var)\\s+([\\w$]+)\\s*=(?!=|>)");
    private static final Pattern WORD = Pattern.compile("-?[\\w$]+(?:\\.[0-9]+)?");
    private static final Pattern END = Pattern.compile("[ \t]*(?:[,;)\\]}\r\n]|$)");

    private final String text;
    private final Map<String, Tree> constants = new LinkedHashMap<>();
    private int at;
    private int depth;

    private K6Script(String text) {
        this.text = text;
    }

    static SourceKeys read(String script) {
        String code = STRING_OR_COMMENT
                .matcher(script)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
        K6Script read = new K6Script(ENVIRONMENT.matcher(code).replaceAll(""));
        Matcher constant = CONSTANT.matcher(read.text);
        while (constant.find()) {
            read.at = constant.end();
            read.constants.putIfAbsent(constant.group(1), read.value());
        }
        SourceKeys keys = new SourceKeys();
        for (int i = 0; i < CALLS.size(); i += 2) {
            read.add(keys, CALLS.get(i), Pattern.compile(CALLS.get(i + 1)));
        }
        boolean writes = keys.has("Writer");
        boolean reads = keys.has("Reader");
        if (writes || reads) {
            keys.put("calls", writes && reads ? "deliver" : writes ? "produce" : "consume");
        }
        if (LOOP.matcher(read.text).find()) {
            keys.unread().put("for, while", "weir import executes no loops; multiply rate or operations yourself");
        }
        return keys;
    }

    private void add(SourceKeys keys, String name, Pattern call) {
        Matcher found = call.matcher(text);
        if (!found.find()) {
            return;
        }
        at = found.end();
        Tree read = value();
        if (found.find()) {
            keys.unread().put("another " + name, "weir import reads the first one");
        }
        if (!(read instanceof Tree.Section section)) {
            keys.unread().put(name, "the script computes it");
        } else if (name.equals("produce")) {
            messages(keys, section.items("messages"));
        } else {
            addAll(keys, name, section.without("scenarios"));
            List<String> scenarios =
                    List.copyOf(section.section("scenarios").entries().keySet());
            for (String scenario : scenarios) {
                if (scenario.equals(scenarios.get(0))) {
                    addAll(keys, "scenario", section.section("scenarios").section(scenario));
                } else {
                    keys.unread().put("options.scenarios." + scenario, "an experiment has one load");
                }
            }
        }
    }

    /** Adds the number of messages of a call, and the size of the value of the first message. */
    private static void messages(SourceKeys keys, List<Tree> messages) {
        if (messages.isEmpty()
                || !(messages.get(0) instanceof Tree.Section message)
                || message.entries().isEmpty()) {
            keys.unread().put("produce.messages", "the script computes it; this file assumes one message");
            return;
        }
        keys.put("produce.messages", String.valueOf(messages.size()));
        Tree given = message.entries().getOrDefault("value", COMPUTED);
        Tree value = message.section("value").entries().getOrDefault("data", given);
        if (value == COMPUTED) {
            keys.unread().put("produce.value", "the script computes it; set load.value");
        } else {
            keys.put("produce.valueSize", String.valueOf(value.line().getBytes(StandardCharsets.UTF_8).length));
        }
        if (message.has("key")) {
            keys.put("produce.key", "");
        }
        message.without("key", "value")
                .entries()
                .keySet()
                .forEach(key -> keys.unread().put("produce." + key, "Weir's records have no such part"));
    }

    private static void addAll(SourceKeys keys, String path, Tree.Section section) {
        section.entries().forEach((key, value) -> {
            if (value == COMPUTED) {
                keys.unread().put(path + "." + key, "the script computes it");
            } else if (value instanceof Tree.Section below) {
                addAll(keys, path + "." + key, below);
            } else {
                keys.add(path + "." + key, value);
            }
        });
    }

    /** Reads an expression up to a comma, semicolon or closing bracket. */
    private Tree value() {
        skipSpace();
        depth++;
        Tree read = depth > DEEPEST ? COMPUTED : operand();
        depth--;
        boolean whole = END.matcher(text)
                .region(Math.min(at, text.length()), text.length())
                .lookingAt();
        skipExpression();
        return whole ? read : COMPUTED;
    }

    private Tree operand() {
        char c = at < text.length() ? text.charAt(at) : ';';
        if (c == '{') {
            return object();
        }
        if (c == '[') {
            return array();
        }
        if (c == '"' || c == '\'' || c == '`') {
            String string = string();
            return c == '`' && string.contains("${") ? COMPUTED : new Tree.Text(string, true, NOWHERE);
        }
        String word = word();
        if (text.startsWith(".serialize(", at)) {
            at += ".serialize(".length();
            Tree inside = value();
            at++;
            return inside;
        }
        if (text.startsWith("[0]", at)) {
            at += 3;
            Tree list = constants.getOrDefault(word, COMPUTED);
            return list instanceof Tree.Items items
                            && list != COMPUTED
                            && !items.items().isEmpty()
                    ? items.items().get(0)
                    : COMPUTED;
        }
        // The constants of xk6-kafka have upper-case names.
        boolean literal = word.matches("true|false|null|[A-Z][A-Z0-9_]+|-?[0-9].*");
        Tree plain = literal ? new Tree.Text(word.replaceAll("(?<=[0-9])_", ""), false, NOWHERE) : COMPUTED;
        return constants.getOrDefault(word, plain);
    }

    private String word() {
        Matcher word = WORD.matcher(text).region(Math.min(at, text.length()), text.length());
        if (!word.lookingAt()) {
            return "";
        }
        at = word.end();
        return word.group();
    }

    private Tree object() {
        Map<String, Tree> entries = new LinkedHashMap<>();
        at++;
        skipSpace();
        while (at < text.length() && text.charAt(at) != '}') {
            String key = "\"'`".indexOf(text.charAt(at)) >= 0 ? string() : word();
            skipSpace();
            if (text.startsWith(":", at)) {
                at++;
                entries.put(key, value());
            } else if (!key.isEmpty() && (text.startsWith(",", at) || text.startsWith("}", at))) {
                entries.put(key, constants.getOrDefault(key, COMPUTED));
            }
            nextItem('}');
        }
        at++;
        return new Tree.Section(entries, Map.of(), NOWHERE);
    }

    private Tree array() {
        List<Tree> items = new ArrayList<>();
        at++;
        skipSpace();
        while (at < text.length() && text.charAt(at) != ']') {
            items.add(value());
            nextItem(']');
        }
        at++;
        return items.contains(COMPUTED) ? COMPUTED : new Tree.Items(items, NOWHERE);
    }

    /** Moves behind the comma. A wrong character is skipped, so that each call moves. */
    private void nextItem(char close) {
        skipExpression();
        at += at < text.length() && text.charAt(at) != close ? 1 : 0;
        skipSpace();
    }

    private String string() {
        char quote = text.charAt(at++);
        StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != quote) {
            at += text.charAt(at) == '\\' && at + 1 < text.length() ? 1 : 0;
            string.append(text.charAt(at++));
        }
        at++;
        return string.toString();
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    /** Moves to the comma, semicolon or bracket that ends the expression. */
    private void skipExpression() {
        int open = 0;
        while (at < text.length() && (open > 0 || ",;)]}".indexOf(text.charAt(at)) < 0)) {
            char c = text.charAt(at);
            if ("\"'`".indexOf(c) >= 0) {
                string();
            } else {
                open += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
                at++;
            }
        }
    }
}
