package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A chart as inline SVG: seen without scripts, on paper, and in the colours of the page, which come by class. A value
 * that is not there (NaN) breaks a line.
 */
final class Plot {
    private static final int TOP = 34;
    private static final int BOTTOM = 44;

    private final Html svg = new Html();
    private final List<Label> labels = new ArrayList<>();
    private final String title;
    private final Scale x;
    private final Scale y;
    private final int width;
    private final int height;
    private final int right;
    private int left = 58;
    private Scale second;

    /** Text at the end of a line, moved apart from others before it is drawn. */
    private record Label(double x, double y, String text, String look) {}

    /** @param right room for labels at the ends of lines */
    Plot(String title, Scale x, Scale y, int width, int height, int right) {
        this.title = title;
        this.x = x;
        this.y = y;
        this.second = y;
        this.width = width;
        this.height = height;
        this.right = right;
    }

    private double px(double value) {
        return left + clamp(x.at(value)) * (width - left - right);
    }

    private double py(double value) {
        return py(value, y);
    }

    private double py(double value, Scale y) {
        return height - BOTTOM - clamp(y.at(value)) * (height - TOP - BOTTOM);
    }

    private static double clamp(double share) {
        return Math.min(1, Math.max(0, share));
    }

    /** Grid, ticks and units. */
    Plot axes(String unitX, String unitY) {
        svg.open("g", "class", "grid");
        for (Scale.Tick tick : y.ticks()) {
            double at = py(tick.value());
            line(left, at, width - right, at);
            label(left - 8, at + 4, tick.label(), "end");
        }
        double previous = -100;
        for (Scale.Tick tick : x.ticks()) {
            double at = px(tick.value());
            line(at, height - BOTTOM, at, height - BOTTOM + 4);
            if (at - previous > 12 + 7 * tick.label().length()) {
                label(at, height - BOTTOM + 18, tick.label(), "middle");
                previous = at;
            }
        }
        svg.close();
        svg.open("g", "class", "unit");
        label(4, 12, unitY, "start");
        label(width - right, height - 8, unitX, "end");
        svg.close();
        return this;
    }

    /** Ticks and unit along the bottom, and named rows instead of a y axis; y must run from 0 to their number. */
    Plot rows(String unit, List<String> names) {
        int longest = names.stream().mapToInt(String::length).max().orElse(0);
        left = Math.min(width * 2 / 5, 20 + (int) (6.6 * longest));
        svg.open("g", "class", "grid");
        double previous = -100;
        for (Scale.Tick tick : x.ticks()) {
            double at = px(tick.value());
            line(at, TOP, at, height - BOTTOM);
            if (at - previous > 12 + 7 * tick.label().length()) {
                label(at, height - BOTTOM + 18, tick.label(), "middle");
                previous = at;
            }
        }
        for (int i = 0; i < names.size(); i++) {
            label(left - 12, py(names.size() - i - 0.5) + 4, names.get(i), "end");
        }
        svg.close().open("g", "class", "unit");
        label(width - right, height - 8, unit, "end");
        svg.close();
        return this;
    }

    /** A second axis on the right, for {@link #lineRight}; its ticks stand in the room that was left there. */
    Plot axisRight(Scale scale, String unit) {
        second = scale;
        svg.open("g", "class", "grid");
        for (Scale.Tick tick : scale.ticks()) {
            double at = py(tick.value(), scale);
            line(width - right, at, width - right + 4, at);
            label(width - right + 8, at + 4, tick.label(), "start");
        }
        svg.close().open("g", "class", "unit");
        label(width - 4, 12, unit, "end");
        svg.close();
        return this;
    }

    private void line(double x1, double y1, double x2, double y2) {
        svg.open("line", "x1", n(x1), "y1", n(y1), "x2", n(x2), "y2", n(y2)).close();
    }

    private void label(double atX, double atY, String text, String anchor) {
        svg.element("text", text, "x", n(atX), "y", n(atY), "text-anchor", anchor);
    }

    /** A stretch of the x axis, with its name on top when there is room. */
    Plot band(double from, double to, String name, String look) {
        double start = px(from);
        double wide = px(to) - start;
        if (wide <= 0) {
            return this;
        }
        svg.open("g", "class", "band " + look);
        svg.open("rect", "x", n(start), "y", n(TOP), "width", n(wide), "height", n(height - TOP - BOTTOM))
                .element("title", name)
                .close();
        if (wide > 6.5 * name.length()) {
            label(start + wide / 2, TOP - 6, name, "middle");
        }
        svg.close();
        return this;
    }

    /** A vertical line with a name. */
    Plot mark(double at, String name) {
        double place = px(at);
        svg.open("g", "class", "mark");
        svg.open("line", "x1", n(place), "y1", n(TOP), "x2", n(place), "y2", n(height - BOTTOM))
                .element("title", name)
                .close();
        boolean late = place > width * 0.6;
        label(place + (late ? -5 : 5), TOP + 12, name, late ? "end" : "start");
        svg.close();
        return this;
    }

    /** A line through the points; with a name, the name stands at its end. */
    Plot line(double[] xs, double[] ys, String look, String name) {
        return line(xs, ys, y, look, name);
    }

    /** The same against the axis on the right. */
    Plot lineRight(double[] xs, double[] ys, String look) {
        return line(xs, ys, second, look, "");
    }

    private Plot line(double[] xs, double[] ys, Scale y, String look, String name) {
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

    /** A dot with a text that appears when it is pointed at. */
    Plot dot(double atX, double atY, String look, String text) {
        if (!Double.isNaN(atX) && !Double.isNaN(atY)) {
            svg.open("circle", "class", "dot " + look, "cx", n(px(atX)), "cy", n(py(atY)), "r", "4")
                    .element("title", text)
                    .close();
        }
        return this;
    }

    /** A stretch of a row. */
    Plot bar(double from, double to, double row, String look, String text) {
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

    /** The outline of a rectangle between these values, for {@link #cells}; empty when it has no width. */
    String cell(double fromX, double toX, double fromY, double toY) {
        double wide = px(toX) - px(fromX);
        double high = py(fromY) - py(toY);
        return wide < 0.05 || high < 0.05
                ? ""
                : "M" + n(px(fromX)) + " " + n(py(toY)) + "h" + n(wide) + "v" + n(high) + "h" + n(-wide) + "z";
    }

    /** Many rectangles that look the same. */
    Plot cells(String outlines, String look) {
        if (!outlines.isEmpty()) {
            svg.open("path", "class", look, "d", outlines).close();
        }
        return this;
    }

    /** A cross where something broke. */
    Plot cross(double atX, double atY, String look, String text) {
        double cx = px(atX);
        double cy = py(atY);
        String path = "M" + n(cx - 4) + " " + n(cy - 4) + "l8 8m0-8l-8 8";
        svg.open("path", "class", "cross " + look, "d", path)
                .element("title", text)
                .close();
        return this;
    }

    /** A name beside a point, moved apart from other names. */
    Plot name(double atX, double atY, String look, String text) {
        return name(atX, atY, y, look, text);
    }

    private Plot name(double atX, double atY, Scale y, String look, String text) {
        labels.add(new Label(px(atX) + 8, py(atY, y) + 4, text, look));
        return this;
    }

    Html svg(String describedBy) {
        labels.sort(Comparator.comparingDouble(Label::y));
        double previous = -100;
        for (Label label : labels) {
            double at = Math.max(label.y(), previous + 14);
            svg.element("text", label.text(), "class", "name " + label.look(), "x", n(label.x()), "y", n(at));
            previous = at;
        }
        Html whole = new Html();
        whole.open(
                "svg",
                "class",
                width < 800 ? "plot small" : "plot",
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
