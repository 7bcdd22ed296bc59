package weir.results;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The labels that the user gave a run: {@code labels.json}. */
public record RunLabels(SortedMap<String, String> labels) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,39}");
    private static final int LONGEST = 200;

    public static final RunLabels NONE = new RunLabels(new TreeMap<>());

    public RunLabels {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        labels.forEach(RunLabels::check);
    }

    private static void check(String name, String value) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name
                    + "' is not a label name; use up to 40 letters, digits, dots, slashes, hyphens and"
                    + " underscores, such as commit");
        }
        if (value.isBlank() || value.length() > LONGEST || value.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the label " + name + " has "
                    + (value.isBlank() ? "no value" : "a value that is not allowed") + "; write " + name
                    + "=VALUE, in one line of up to " + LONGEST + " characters");
        }
    }

    public RunLabels with(RunLabels more) {
        SortedMap<String, String> all = new TreeMap<>(more.labels);
        all.putAll(labels);
        return new RunLabels(all);
    }
}
