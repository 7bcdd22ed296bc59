package weir.plan.syntax;

import java.util.List;
import java.util.regex.Pattern;
import weir.plan.Problem;

/**
 * Where a piece of the plan was written: a line and column of a source, counted from 1 (a line of zero means the whole
 * source), and the layer that laid it there, empty for the file itself.
 */
public record Origin(Source source, int line, int column, String layer) {
    private static final int EXCERPT = 160;
    /** A line that may hold a secret is not shown. */
    private static final Pattern SECRET = Pattern.compile("(?i)(" + Paths.SECRET_WORDS + ")\\S*\\s*[:=]|" + Paths.PLUGIN
            + "\\s*[:.]|://[^\\s\"'/]*@|https?://[^\\s\"']*[@?]");

    /** The first word of the layer of what a preset lays over a variant. */
    private static final String PRESET = "preset ";

    /** A text that plans are read from, as lines. */
    public record Source(String name, List<String> lines) {
        public static Source of(String name, String text) {
            return new Source(name, text.lines().toList());
        }
    }

    /** Something that nobody wrote, such as a default. */
    public static Origin unwritten(String layer) {
        return new Origin(new Source("", List.of()), 0, 0, layer);
    }

    /** The same place, whose text is never shown. */
    public Origin silent() {
        return new Origin(Source.of(source.name(), ""), line, column, layer);
    }

    public Origin in(String newLayer) {
        return new Origin(source, line, column, newLayer);
    }

    /** {@code file.yaml:12}, {@code variant zstd file.yaml:30}, {@code default}. */
    public String text() {
        if (layer.equals(source.name())) {
            return layer;
        }
        String place = line == 0 ? source.name() : source.name() + ":" + line;
        return layer.isEmpty() ? place : place.isEmpty() ? layer : layer + " " + place;
    }

    /** True for what a preset brought along and nobody wrote. */
    public boolean preset() {
        return layer.startsWith(PRESET);
    }

    /** The same as brought along by a preset, which is asked for here. */
    public Origin ofPreset(String name) {
        return in(PRESET + name);
    }

    /** True for the text of an origin that a preset has. */
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
