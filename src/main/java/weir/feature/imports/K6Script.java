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

    private static final Pattern CONSTANT = Pattern.compile("\\b(?:const|let|var)\\s+([\\w$]+)\\s*=(?!=|>)\\s*");
    private static final Map<String, Pattern> CALLS = calls();
    private static final Pattern LOOP = Pattern.compile("\\b(for|while)\\s*\\(");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9_]*(\\.[0-9]+)?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_$][\\w$]*");

    private final String text;
    private final Map<String, Tree> constants = new LinkedHashMap<>();
    private int at;

    private K6Script(String text) {
        this.text = text;
    }

    private static Map<String, Pattern> calls() {
        Map<String, Pattern> calls = new LinkedHashMap<>();
        for (String made : List.of("Writer", "Reader", "Connection")) {
            calls.put(made, Pattern.compile("\\bnew\\s+(?:[\\w$]+\\.)?" + made + "\\s*\\(\\s*"));
        }
        for (String called : List.of("createTopic", "produce", "consume")) {
            calls.put(called, Pattern.compile("\\." + called + "\\s*\\(\\s*"));
        }
        calls.put("options", Pattern.compile("\\bexport\\s+(?:const|let|var)\\s+options\\s*=\\s*"));
        return calls;
    }

    static SourceKeys read(String script) {
        K6Script read = new K6Script(withoutComments(script));
        SourceKeys keys = new SourceKeys();
        read.findConstants();
        CALLS.forEach((name, call) -> read.add(keys, name, call));
        if (LOOP.matcher(read.text).find()) {
            keys.unread().put("for, while", "weir import executes no loops; multiply rate or operations yourself");
        }
        boolean writes = keys.values().keySet().stream().anyMatch(key -> key.startsWith("Writer."));
        boolean reads = keys.values().keySet().stream().anyMatch(key -> key.startsWith("Reader."));
        if (writes || reads) {
            keys.put("calls", writes && reads ? "deliver" : writes ? "produce" : "consume");
        } else {
            keys.values().clear();
        }
        return keys;
    }

    private void findConstants() {
        Matcher found = CONSTANT.matcher(text);
        while (found.find()) {
            at = found.end();
            constants.putIfAbsent(found.group(1), value());
        }
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
            message(keys, section);
        } else if (name.equals("options")) {
            options(keys, section);
        } else {
            addAll(keys, name, section);
        }
    }

    private static void options(SourceKeys keys, Tree.Section options) {
        addAll(keys, "options", options.without("scenarios"));
        boolean first = true;
        for (Map.Entry<String, Tree> scenario : options.section("scenarios").entries().entrySet()) {
            if (first && scenario.getValue() instanceof Tree.Section section) {
                addAll(keys, "scenario", section);
            } else {
                keys.unread().put("options.scenarios." + scenario.getKey(), "an experiment has one load");
            }
            first = false;
        }
    }

    /** Adds the number of messages of a call, and the size of the value of the first message. */
    private static void message(SourceKeys keys, Tree.Section produce) {
        List<Tree> messages = produce.items("messages");
        if (produce.entries().get("messages") == COMPUTED || messages.isEmpty()) {
            keys.unread().put("produce.messages", "the script computes it; this file assumes one message");
            return;
        }
        keys.put("produce.messages", String.valueOf(messages.size()));
        if (messages.get(0) instanceof Tree.Section message) {
            Tree value = message.section("value").has("data")
                    ? message.section("value").entries().getOrDefault("data", COMPUTED)
                    : message.entries().getOrDefault("value", COMPUTED);
            if (constant(value)) {
                int size = json(value).getBytes(StandardCharsets.UTF_8).length;
                keys.put("produce.valueSize", String.valueOf(value instanceof Tree.Text ? size - 2 : size));
            } else {
                keys.unread().put("produce.value", "the script computes it; set load.value");
            }
            if (message.has("key")) {
                keys.put("produce.key", "");
            }
            message.without("key", "value")
                    .entries()
                    .keySet()
                    .forEach(key -> keys.unread().put("produce." + key, "Weir's records have no such part"));
        }
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

    private static boolean constant(Tree tree) {
        return tree != COMPUTED
                && (tree instanceof Tree.Text
                        || (tree instanceof Tree.Items items
                                && items.items().stream().allMatch(K6Script::constant))
                        || (tree instanceof Tree.Section section
                                && section.entries().values().stream().allMatch(K6Script::constant)));
    }

    private static String json(Tree tree) {
        List<String> parts = new ArrayList<>();
        if (tree instanceof Tree.Section section) {
            section.entries().forEach((key, value) -> parts.add("\"" + key + "\":" + json(value)));
            return "{" + String.join(",", parts) + "}";
        }
        if (tree instanceof Tree.Items items) {
            items.items().forEach(item -> parts.add(json(item)));
            return "[" + String.join(",", parts) + "]";
        }
        return tree instanceof Tree.Text text && text.quoted() ? "\"" + text.text() + "\"" : tree.line();
    }

    /** Reads an expression up to a comma, semicolon or closing bracket. {@code A || B} is B if the script computes A. */
    private Tree value() {
        Tree read = operand();
        skipSpace();
        if (read == COMPUTED && alternative()) {
            return value();
        }
        if (at < text.length() && ",;)]}".indexOf(text.charAt(at)) < 0 && !newLine()) {
            read = COMPUTED;
        }
        skipExpression();
        return read;
    }

    /** Moves behind {@code ||} if the expression has one. */
    private boolean alternative() {
        int depth = 0;
        for (int i = at; i + 1 < text.length(); i++) {
            char c = text.charAt(i);
            depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
            if (depth < 0 || (depth == 0 && ",;".indexOf(c) >= 0)) {
                return false;
            }
            if (depth == 0 && (text.startsWith("||", i) || text.startsWith("??", i))) {
                at = i + 2;
                return true;
            }
        }
        return false;
    }

    /** True if a new line ends the statement, because JavaScript needs no semicolon. */
    private boolean newLine() {
        int before = at - 1;
        while (before >= 0 && (text.charAt(before) == ' ' || text.charAt(before) == '\t')) {
            before--;
        }
        return before >= 0 && text.charAt(before) == '\n' && Character.isLetter(text.charAt(at));
    }

    private Tree operand() {
        skipSpace();
        if (at >= text.length()) {
            return COMPUTED;
        }
        char c = text.charAt(at);
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
        Matcher number = NUMBER.matcher(text).region(at, text.length());
        if (number.lookingAt()) {
            at = number.end();
            return new Tree.Text(number.group().replace("_", ""), false, NOWHERE);
        }
        return named();
    }

    /** A constant by name, an upper-case constant of xk6-kafka, or the object that a function receives. */
    private Tree named() {
        Matcher name = NAME.matcher(text).region(at, text.length());
        if (!name.lookingAt()) {
            return COMPUTED;
        }
        String word = name.group();
        at = name.end();
        if (text.startsWith(".serialize(", at)) {
            at += ".serialize(".length();
            Tree inside = value();
            at = Math.min(text.length(), at + 1);
            return inside;
        }
        if (text.startsWith("[0]", at)) {
            at += 3;
            return constants.get(word) instanceof Tree.Items items && !items.items().isEmpty()
                    ? items.items().get(0)
                    : COMPUTED;
        }
        if (constants.containsKey(word)) {
            return constants.getOrDefault(word, COMPUTED);
        }
        boolean literal = word.matches("true|false|null|[A-Z][A-Z0-9_]+") && !text.startsWith(".", at);
        return literal ? new Tree.Text(word, false, NOWHERE) : COMPUTED;
    }

    private Tree object() {
        Map<String, Tree> entries = new LinkedHashMap<>();
        at++;
        skipSpace();
        while (at < text.length() && text.charAt(at) != '}') {
            int start = at;
            Tree key = "\"'`".indexOf(text.charAt(at)) >= 0 ? operand() : COMPUTED;
            Matcher name = NAME.matcher(text).region(at, text.length());
            String word = key instanceof Tree.Text quoted ? quoted.text() : name.lookingAt() ? name.group() : "";
            at = key == COMPUTED && !word.isEmpty() ? name.end() : at;
            skipSpace();
            if (at < text.length() && text.charAt(at) == ':') {
                at++;
                entries.put(word, value());
            } else {
                boolean shorthand = !word.isEmpty() && at < text.length() && ",}".indexOf(text.charAt(at)) >= 0;
                if (shorthand) {
                    entries.put(word, constants.getOrDefault(word, COMPUTED));
                }
                skipExpression();
            }
            at += at < text.length() && (text.charAt(at) == ',' || at == start) ? 1 : 0;
            skipSpace();
        }
        at++;
        return new Tree.Section(entries, Map.of(), NOWHERE);
    }

    private Tree array() {
        List<Tree> items = new ArrayList<>();
        at++;
        skipSpace();
        while (at < text.length() && text.charAt(at) != ']') {
            int start = at;
            items.add(value());
            at += at < text.length() && (text.charAt(at) == ',' || at == start) ? 1 : 0;
            skipSpace();
        }
        at++;
        return items.stream().anyMatch(item -> item == COMPUTED) ? COMPUTED : new Tree.Items(items, NOWHERE);
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
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (depth == 0 && ",;)]}".indexOf(c) >= 0) {
                return;
            }
            if ("\"'`".indexOf(c) >= 0) {
                string();
                continue;
            }
            depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
            at++;
        }
    }

    /** Removes comments, except in strings such as {@code "http://…"}. */
    private static String withoutComments(String script) {
        return Pattern.compile(
                        "(\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`)|//[^\n]*|/\\*.*?\\*/",
                        Pattern.DOTALL)
                .matcher(script)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1)));
    }
}
