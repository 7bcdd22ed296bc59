package weir.report.block;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A chart as inline SVG: visible without scripts and on paper, in the colours of the page. A missing value (NaN)
 * breaks a line.
 */
public final class Plot {
    private static final int TOP = 34;
    private static final int BOTTOM = 44;
    /** Maximum width of a character in pixels of the drawing. */
    private static final double CHARACTER = 6.8;

    /** Width of a character on a phone, where the letters of half-page drawings are larger. */
    private static final double ENLARGED = 8.4;

    private static final int LINE = 14;
    private static final int ROW = 26;
    private static final int STACKED_ROW = 38;
    /** Share of an axis by which rounding may move a value beyond its end. */
    private static final double EDGE = 1e-6;

    public enum Width {
        BROAD(760, "broad"),
        HALF(520, "broad"),
        NARROW(340, "narrow");

        private final int pixels;
        private final String look;

        Width(int pixels, String look) {
            this.pixels = pixels;
            this.look = look;
        }
    }

    private static final int COLOURS = 7;

    private final Html svg = new Html();
    private final List<Label> labels = new ArrayList<>();
    private final List<Label> marks = new ArrayList<>();
    private final String title;
    private final AxisScale x;
    private final AxisScale y;
    private final int width;
    private final int height;
    private final int right;
    private int left = 58;
    private AxisScale second;
    private String look;
    private boolean stacked;

    private record Label(double x, double y, String text, String look) {}

    /** @param right room for labels at the ends of lines */
    public Plot(String title, AxisScale x, AxisScale y, int width, int height, int right) {
        this.title = title;
        this.x = x;
        this.y = y;
        this.second = y;
        this.width = width;
        this.height = height;
        this.right = right;
        this.look = width < 800 ? "plot small" : "plot";
    }

    /** Returns the class of the n-th colour, from Okabe and Ito's palette for colour-blind readers. */
    public static String color(int index) {
        return "c" + (index % COLOURS + 1);
    }

    /** Draws for a page and again for a phone, where lines are short; the page shows one of them. */
    public static List<Plot> widths(Width broad, Function<Width, Plot> plot) {
        return List.of(plot.apply(broad), plot.apply(Width.NARROW));
    }

    /**
     * Draws named rows, the first on top: row i is at {@code names.size() - i - 0.5}. Long names stand above their
     * rows.
     */
    public static Plot rows(String title, AxisScale x, String unit, List<String> names, Width width) {
        int longest = names.stream().mapToInt(String::length).max().orElse(0);
        boolean stacked = width == Width.NARROW || CHARACTER * longest > width.pixels * 0.4;
        int height = TOP + BOTTOM + 6 + (stacked ? STACKED_ROW : ROW) * names.size();
        Plot plot = new Plot(title, x, new AxisScale.Linear(0, names.size()), width.pixels, height, 24);
        plot.stacked = stacked;
        plot.look = "plot small " + width.look;
        plot.left = stacked ? 16 : 20 + (int) (CHARACTER * longest);
        plot.svg.open("g", "class", "grid");
        plot.ticksBelow(TOP);
        for (int i = 0; i < names.size(); i++) {
            double middle = plot.py(names.size() - i - 0.5);
            if (stacked) {
                plot.label(2, middle - 13, plot.fitting(names.get(i)), "start");
            } else {
                plot.label(plot.left - 12.0, middle + 4, names.get(i), "end");
            }
        }
        plot.svg.close().open("g", "class", "unit");
        plot.label(plot.width - plot.right, height - 8.0, x.unit(unit), "end");
        plot.svg.close();
        return plot;
    }

    private String fitting(String name) {
        int most = (int) (width / CHARACTER);
        return name.length() <= most ? name : name.substring(0, most - 1) + "…";
    }

    private double px(double value) {
        return left + clamp(x.at(value)) * (width - left - right);
    }

    private double py(double value) {
        return py(value, y);
    }

    private double py(double value, AxisScale y) {
        return height - BOTTOM - clamp(y.at(value)) * (height - TOP - BOTTOM) + (stacked ? 8 : 0);
    }

    private static double clamp(double share) {
        return Math.min(1, Math.max(0, share));
    }

    public Plot axes(String unitX, String unitY) {
        int longest =
                y.ticks().stream().mapToInt(tick -> tick.label().length()).max().orElse(0);
        left = Math.max(left, 14 + (int) ((width < 800 ? ENLARGED : CHARACTER) * longest));
        svg.open("g", "class", "grid");
        for (AxisScale.Tick tick : y.ticks()) {
            double at = py(tick.value());
            line(left, at, width - right, at);
            label(left - 8, at + 4, tick.label(), "end");
        }
        ticksBelow(height - BOTTOM);
        svg.close();
        svg.open("g", "class", "unit");
        label(4, 12, y.unit(unitY), "start");
        label(width - right, height - 8, x.unit(unitX), "end");
        svg.close();
        return this;
    }

    private void ticksBelow(int from) {
        boolean marked = from == TOP;
        double previous = Double.NEGATIVE_INFINITY;
        for (AxisScale.Tick tick : x.ticks()) {
            double at = px(tick.value());
            double half = CHARACTER * tick.label().length() / 2;
            line(at, from, at, height - BOTTOM + (marked ? 0 : 4));
            if (at - half > previous) {
                label(at, height - BOTTOM + 18, tick.label(), "middle");
                previous = at + half + 10;
            }
        }
    }

    /** Draws a second axis for {@link #lineRight}, in the room reserved on the right. */
    public Plot axisRight(AxisScale scale, String unit) {
        second = scale;
        svg.open("g", "class", "grid");
        for (AxisScale.Tick tick : scale.ticks()) {
            double at = py(tick.value(), scale);
            line(width - right, at, width - right + 4, at);
            label(width - right + 8, at + 4, tick.label(), "start");
        }
        svg.close().open("g", "class", "unit");
        label(width - 4, 12, scale.unit(unit), "end");
        svg.close();
        return this;
    }

    private void line(double x1, double y1, double x2, double y2) {
        svg.open("line", "x1", n(x1), "y1", n(y1), "x2", n(x2), "y2", n(y2)).close();
    }

    private void label(double atX, double atY, String text, String anchor) {
        svg.element("text", text, "x", n(atX), "y", n(atY), "text-anchor", anchor);
    }

    public Plot band(double from, double to, String name, String look) {
        double start = px(from);
        double wide = px(to) - start;
        if (wide <= 0) {
            return this;
        }
        svg.open("g", "class", "band " + look);
        svg.open("rect", "x", n(start), "y", n(TOP), "width", n(wide), "height", n(height - TOP - BOTTOM))
                .element("title", name)
                .close();
        if (wide > CHARACTER * name.length() && !look.equals("disturbed")) {
            label(start + wide / 2, TOP - 6, name, "middle");
        }
        svg.close();
        return this;
    }

    public Plot mark(double at, String name) {
        double place = px(at);
        svg.open("g", "class", "mark");
        svg.open("line", "x1", n(place), "y1", n(TOP), "x2", n(place), "y2", n(height - BOTTOM))
                .element("title", name)
                .close();
        if (!name.isEmpty()) {
            double wide = CHARACTER * name.length();
            boolean before = place + 5 + wide > width - right / 2.0;
            double start = before ? place - 5 - wide : place + 5;
            double line = TOP + 12.0;
            while (taken(start, wide, line)) {
                line += LINE;
            }
            marks.add(new Label(start, line, name, ""));
            if (line < height - BOTTOM) {
                label(before ? place - 5 : place + 5, line, name, before ? "end" : "start");
            }
        }
        svg.close();
        return this;
    }

    private boolean taken(double start, double wide, double line) {
        return marks.stream()
                .anyMatch(other -> other.y() == line
                        && start < other.x() + CHARACTER * other.text().length()
                        && other.x() < start + wide);
    }

    public Plot line(double[] xs, double[] ys, String look, String name) {
        return line(xs, ys, y, look, name);
    }

    /** Fills the area between two lines; an unknown end breaks it, an end above the scale stays at the edge. */
    public Plot area(double[] xs, double[] lows, double[] highs, String look) {
        StringBuilder path = new StringBuilder();
        int first = 0;
        for (int i = 0; i <= xs.length; i++) {
            if (i == xs.length || Double.isNaN(lows[i]) || Double.isNaN(highs[i])) {
                for (int j = first; j < i; j++) {
                    path.append(j == first ? 'M' : 'L')
                            .append(n(px(xs[j])))
                            .append(' ')
                            .append(n(py(highs[j])));
                }
                for (int j = i - 1; j >= first; j--) {
                    path.append('L').append(n(px(xs[j]))).append(' ').append(n(py(lows[j])));
                    path.append(j == first ? "z" : "");
                }
                first = i + 1;
            }
        }
        if (path.length() > 0) {
            svg.open("path", "class", "area " + look, "d", path.toString()).close();
        }
        return this;
    }

    public Plot lineRight(double[] xs, double[] ys, String look) {
        return line(xs, ys, second, look, "");
    }

    public Plot level(double from, double to, double value, String look, String text) {
        String path = "M" + n(px(from)) + " " + n(py(value)) + "H" + n(px(to));
        path("line level " + look, path, text);
        return this;
    }

    private Plot line(double[] xs, double[] ys, AxisScale y, String look, String name) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        int last = -1;
        for (int i = 0; i < xs.length; i++) {
            if (Double.isNaN(ys[i])) {
                drawing = false;
                continue;
            }
            path.append(drawing ? 'L' : 'M').append(n(px(xs[i]))).append(' ').append(n(py(ys[i], y)));
            drawing = true;
            last = i;
        }
        svg.open("path", "class", "line " + look, "d", path.toString()).close();
        if (last >= 0 && !name.isEmpty()) {
            name(xs[last], ys[last], y, look, name);
        }
        return this;
    }

    /** Draws a dot with a tooltip, or an arrow at the edge if it lies beyond the scale. */
    public Plot dot(double atX, double atY, String look, String text) {
        if (beyond(x.at(atX)) != 0 || beyond(y.at(atY)) != 0) {
            int across = beyond(x.at(atX));
            arrow(px(atX), py(atY), across, across == 0 ? -beyond(y.at(atY)) : 0, look, text + ", beyond this scale");
        } else if (!Double.isNaN(atX) && !Double.isNaN(atY)) {
            svg.open("circle", "class", "dot " + look, "cx", n(px(atX)), "cy", n(py(atY)), "r", "4")
                    .element("title", text)
                    .close();
        }
        return this;
    }

    private void path(String look, String path, String text) {
        svg.open("path", "class", look, "d", path).element("title", text).close();
    }

    /** -1 below the scale, 1 above it, else 0. */
    private static int beyond(double share) {
        return share < -EDGE ? -1 : share > 1 + EDGE ? 1 : 0;
    }

    Plot interval(double from, double to, double row, String look, String text) {
        line(new double[] {from, to}, new double[] {row, row}, look, "");
        for (double end : new double[] {from, to}) {
            if (beyond(x.at(end)) != 0) {
                arrow(px(end), py(row), beyond(x.at(end)), 0, look, text + ", goes on beyond this scale");
            }
        }
        return this;
    }

    private void arrow(double atX, double atY, int right, int down, String look, String text) {
        String path = "M" + n(atX + 7 * right) + " " + n(atY + 7 * down) + "L"
                + n(atX - 4 * right - 5 * down) + " " + n(atY - 4 * down - 5 * right) + "L"
                + n(atX - 4 * right + 5 * down) + " " + n(atY - 4 * down + 5 * right) + "z";
        path("beyond " + look, path, text);
    }

    /** Marks a lower bound: a stroke from the point upwards, or to the right along a row. */
    public Plot atLeast(double atX, double atY, boolean upwards, String look, String text) {
        String path = "M" + n(px(atX)) + " " + n(py(atY)) + (upwards ? "v-17m-4 5l4 -5l4 5" : "h17m-5 -4l5 4l-5 4");
        path("atleast " + look, path, text);
        return this;
    }

    public Plot bar(double from, double to, double row, String look, String text) {
        double wide = px(to) - px(from);
        if (wide > 0.05) {
            svg.open(
                    "rect",
                    "class",
                    "bar " + look,
                    "x",
                    n(px(from)),
                    "y",
                    n(py(row) - 7),
                    "width",
                    n(wide),
                    "height",
                    "14");
            svg.element("title", text).close();
        }
        return this;
    }

    /** Returns the outline of a rectangle for {@link #cells}; empty if it has no width. */
    public String cell(double fromX, double toX, double fromY, double toY) {
        double wide = px(toX) - px(fromX);
        double high = py(fromY) - py(toY);
        return wide < 0.05 || high < 0.05
                ? ""
                : "M" + n(px(fromX)) + " " + n(py(toY)) + "h" + n(wide) + "v" + n(high) + "h" + n(-wide) + "z";
    }

    public Plot cells(String outlines, String look) {
        if (!outlines.isEmpty()) {
            svg.open("path", "class", look, "d", outlines).close();
        }
        return this;
    }

    public Plot cross(double atX, double atY, String look, String text) {
        if (Double.isNaN(atX) || Double.isNaN(atY)) {
            return this;
        }
        double cx = px(atX);
        double cy = py(atY);
        String path = "M" + n(cx - 4) + " " + n(cy - 4) + "l8 8m0-8l-8 8";
        path("cross " + look, path, text);
        return this;
    }

    public Plot name(double atX, double atY, String look, String text) {
        return name(atX, atY, y, look, text);
    }

    private Plot name(double atX, double atY, AxisScale y, String look, String text) {
        labels.add(new Label(px(atX) + 8, py(atY, y) + 4, text, look));
        return this;
    }

    Html svg(String describedBy) {
        labels.sort(Comparator.comparingDouble(Label::y));
        double lowest = height - BOTTOM + 4.0;
        double previous = -100;
        List<Double> heights = new ArrayList<>();
        for (Label label : labels) {
            previous = Math.max(label.y(), previous + LINE);
            heights.add(previous);
        }
        // Names that were pushed below the chart push the others up.
        for (int i = heights.size() - 1; i >= 0 && heights.get(i) > lowest; i--) {
            heights.set(i, lowest);
            lowest -= LINE;
        }
        for (int i = 0; i < labels.size(); i++) {
            Label label = labels.get(i);
            boolean before = label.x() + CHARACTER * label.text().length() > width;
            svg.element(
                    "text",
                    label.text(),
                    "class",
                    "name " + label.look(),
                    "x",
                    n(before ? label.x() - 16 : label.x()),
                    "y",
                    n(heights.get(i)),
                    "text-anchor",
                    before ? "end" : "start");
        }
        Html whole = new Html();
        whole.open(
                "svg",
                "class",
                look,
                "viewBox",
                "0 0 " + width + " " + height,
                "role",
                "img",
                "aria-label",
                title,
                "aria-describedby",
                describedBy);
        return whole.add(svg).close();
    }

    private static String n(double value) {
        double rounded = Math.rint(value * 10) / 10;
        return rounded == Math.rint(rounded)
                ? String.valueOf((long) rounded)
                : String.format(Locale.ROOT, "%.1f", rounded);
    }
}
