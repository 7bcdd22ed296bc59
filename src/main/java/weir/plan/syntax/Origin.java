package weir.plan.syntax;

import java.util.List;
import java.util.regex.Pattern;
import weir.plan.Problem;

/**
 * The source position of a value. Line and column count from 1. Line 0 stands for the whole source. {@code layer} is
 * the overlay that set the value; it is empty for the file itself.
 */
public record Origin(Source source, int line, int column, String layer) {
    private static final int EXCERPT = 160;
    private static final Pattern SECRET = Pattern.compile("(?i)(" + Paths.SECRET_WORDS + ")\\S*\\s*[:=]|" + Paths.PLUGIN
            + "\\s*[:.]|://[^\\s\"'/]*@|https?://[^\\s\"']*[@?]");

    private static final String PRESET = "preset ";

    public record Source(String name, List<String> lines) {
        public static Source of(String name, String text) {
            return new Source(name, text.lines().toList());
        }
    }

    public static Origin unwritten(String layer) {
        return new Origin(new Source("", List.of()), 0, 0, layer);
    }

    /** The position of a character of a text. */
    public static Origin at(Source source, String text, int index, String layer) {
        List<String> before = (text.substring(0, index) + "^").lines().toList();
        String last = before.get(before.size() - 1);
        return new Origin(source, before.size(), last.codePointCount(0, last.length()), layer);
    }

    public Origin silent() {
        return new Origin(Source.of(source.name(), ""), line, column, layer);
    }

    public Origin in(String newLayer) {
        return new Origin(source, line, column, newLayer);
    }

    /** The notation in reports: {@code file.yaml:12}, {@code variant zstd file.yaml:30}, {@code default}. */
    public String text() {
        if (layer.equals(source.name())) {
            return layer;
        }
        String place = line == 0 ? source.name() : source.name() + ":" + line;
        return layer.isEmpty() ? place : place.isEmpty() ? layer : layer + " " + place;
    }

    public boolean preset() {
        return layer.startsWith(PRESET);
    }

    public Origin ofPreset(String name) {
        return in(PRESET + name);
    }

    public static boolean preset(String text) {
        return text.startsWith(PRESET);
    }

    public Problem problem(String message) {
        boolean shown = line > 0 && line <= source.lines().size();
        String excerpt = shown ? source.lines().get(line - 1) : "";
        if (SECRET.matcher(excerpt).find() || excerpt.length() > EXCERPT || column > excerpt.length() + 1) {
            excerpt = "";
        }
        return new Problem(source.name(), line, column, excerpt, preset() ? message + " (" + layer + ")" : message);
    }
}
