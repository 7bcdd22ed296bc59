package weir.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.plan.Problem;
import weir.plan.Problems;

/** An experiment that Weir writes from command-line flags. It records the flag of each line. */
public final class FlagPlan {
    private static final Pattern PLACE = Pattern.compile(".*:(\\d+)");
    private static final Pattern PATH = Pattern.compile("^[a-z]+(\\.[^:\\s]+)*: ");

    private final List<String> lines = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();

    public FlagPlan add(String line) {
        return add(line, "");
    }

    /** Adds a line. Messages about the line begin with {@code flag}, the user's input. */
    public FlagPlan add(String line, String flag) {
        lines.add(line);
        flags.add(flag);
        return this;
    }

    public FlagPlan value(String key, String flag, String value) {
        return value.isEmpty() ? this : add(key + ": " + quoted(value), flag);
    }

    public FlagPlan properties(Map<String, String> ours) {
        ours.forEach((name, value) -> add("    " + name + ": " + quoted(value)));
        return this;
    }

    public String text() {
        return String.join("\n", lines) + "\n";
    }

    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0x2029) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    public static String quoted(List<Path> paths) {
        return paths.stream().map(path -> quoted(path.toString())).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Passes the messages of all problems but the last to {@code lines}; returns the last message. */
    public String message(Problems problems, Consumer<String> lines) {
        List<String> all =
                problems.list().stream().map(this::message).distinct().toList();
        all.subList(0, all.size() - 1).forEach(lines);
        return all.get(all.size() - 1);
    }

    private String message(Problem problem) {
        int line = problem.line();
        Matcher place = PLACE.matcher(problem.source());
        if (line == 0 && place.matches()) {
            line = Integer.parseInt(place.group(1));
        }
        String flag = line > 0 && line <= flags.size() ? flags.get(line - 1) : "";
        return flag.isEmpty()
                ? problem.message()
                : flag + ": " + PATH.matcher(problem.message()).replaceFirst("");
    }
}
