package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import weir.io.Io;
import weir.report.block.Chart.Mark;
import weir.report.block.Chart.Shape;
import weir.results.value.NumberFormat;

/** A chart as inline SVG. It needs no scripts, can be printed, and uses the colours of the page. */
final class SvgChart {
    private static final int WIDE = 1080;
    private static final int HALF = 530;
    private static final int WIDE_ROWS = 760;
    private static final int NARROW_ROWS = 340;
    private static final int RIGHT = 24;
    private static final int SECOND_AXIS = 76;
    private static final int TOP = 34;
    private static final int BOTTOM = 44;
    /** The width of the widest character in pixels of the drawing. */
    private static final double CHARACTER = 6.8;

    /** The width of a character on a phone, where half-page drawings have larger letters. */
    private static final double ENLARGED = 8.4;

    private static final int LINE = 14;
    private static final int ROW = 26;
    private static final int STACKED_ROW = 38;
    /** The share of an axis by which rounding can move a value beyond the end of the axis. */
    private static final double EDGE = 1e-6;

    private final Html svg = new Html();
    private final List<Label> marks = new ArrayList<>();
    private final Chart chart;
    private final AxisScale x;
    private final AxisScale y;
    private final AxisScale second;
    private final int width;
    private final int height;
    private final int right;
    private final int left;
    /** True if the names of rows are long and so are above their rows. */
    private final boolean stacked;

    private record Label(double x, double y, String text) {}

    private SvgChart(Chart chart, int width) {
        this.chart = chart;
        this.width = width;
        x = chart.x.scale();
        y = chart.y.scale();
        second = chart.right == null ? y : chart.right.scale();
        right = chart.right == null ? RIGHT : SECOND_AXIS;
        int longest = chart.rows.stream().mapToInt(String::length).max().orElse(0);
        boolean rows = !chart.rows.isEmpty();
        stacked = rows && (width == NARROW_ROWS || CHARACTER * longest > width * 0.4);
        height = rows ? TOP + BOTTOM + 6 + (stacked ? STACKED_ROW : ROW) * chart.rows.size() : chart.height;
        int tick =
                y.ticks().stream().mapToInt(one -> one.label().length()).max().orElse(0);
        left = stacked
                ? 16
                : rows
                        ? 20 + (int) (CHARACTER * longest)
                        : Math.max(58, 14 + (int) ((width < WIDE ? ENLARGED : CHARACTER) * tick));
    }

    /** Draws a chart. A chart of rows is drawn again for a phone, and the page shows one of the two. */
    static void draw(Html html, Chart chart, String described) {
        if (chart.rows.isEmpty()) {
            int width = chart.wide ? WIDE : HALF;
            html.add(new SvgChart(chart, width).drawn(chart.wide ? "plot" : "plot small", described));
        } else {
            int width = chart.wide ? WIDE_ROWS : HALF;
            html.add(new SvgChart(chart, width).drawn("plot small broad", described))
                    .add(new SvgChart(chart, NARROW_ROWS).drawn("plot small narrow", described));
        }
    }

    /** Returns a chart as a file for other pages, with a title, a caption, the legend and its own style. */
    static String file(Chart chart, String caption) {
        SvgChart drawing = new SvgChart(chart, chart.wide ? WIDE : HALF);
        Html head = new Html()
                .element("text", drawing.fitting(chart.title), "class", "title", "x", "12", "y", "22")
                .element("text", drawing.fitting(caption), "x", "12", "y", "40");
        double start = 12;
        double line = 60;
        for (Chart.Key key : chart.keys) {
            double wide = 36 + CHARACTER * key.name().length();
            if (start > 12 && start + wide > drawing.width) {
                start = 12;
                line += LINE + 4;
            }
            String stroke = "M" + n(start) + " " + n(line - 4) + "h16";
            head.open("g", "class", key.look())
                    .open("path", "class", "line", "d", stroke)
                    .close()
                    .close()
                    .element("text", key.name(), "x", n(start + 22), "y", n(line));
            start += wide;
        }
        double top = line + 10;
        String height = n(top + drawing.height);
        return new Html()
                        .open(
                                "svg",
                                "xmlns",
                                "http://www.w3.org/2000/svg",
                                "width",
                                n(drawing.width),
                                "height",
                                height,
                                "viewBox",
                                "0 0 " + drawing.width + " " + height)
                        .element("title", chart.title + ", " + caption)
                        .verbatim("style", Io.resource("/weir/report/chart.css"))
                        .open("g", "class", "plot alone")
                        .open("rect", "class", "paper", "width", "100%", "height", "100%")
                        .close()
                        .add(head)
                        .open("g", "transform", "translate(0 " + n(top) + ")")
                        .add(drawing.content())
                        .close()
                        .close()
                        .close()
                + "\n";
    }

    private Html content() {
        chart.marks.stream().filter(mark -> mark.shape() == Shape.BAND).forEach(this::band);
        axes();
        chart.marks.forEach(this::draw);
        return svg;
    }

    private Html drawn(String look, String described) {
        return new Html()
                .open(
                        "svg",
                        "class",
                        look,
                        "viewBox",
                        "0 0 " + width + " " + height,
                        "role",
                        "img",
                        "aria-label",
                        chart.title,
                        "aria-describedby",
                        described)
                .add(content())
                .close();
    }

    private void draw(Mark mark) {
        double[] xs = mark.xs();
        double[] ys = mark.ys();
        String look = mark.look();
        switch (mark.shape()) {
            case BAND -> {} // Drawn below the axes.
            case MARK -> mark(xs[0], mark.text());
            case LINE -> line(xs, ys, y, look);
            case LINE_RIGHT -> line(xs, ys, second, look);
            case DIAGONAL -> line(new double[] {x.low(), x.high()}, new double[] {x.low(), x.high()}, y, look);
            case AREA -> area(mark);
            case LEVEL ->
                path("line level " + look, "M" + n(px(xs[0])) + " " + n(py(ys[0])) + "H" + n(px(xs[1])), mark.text());
            case INTERVAL -> interval(mark);
            case BAR -> bar(mark);
            case CELLS -> cells(mark);
            case DOT -> dot(mark);
            case CROSS -> at(mark, "cross", -4, "l8 8m0-8l-8 8");
            case AT_LEAST -> at(mark, "atleast", 0, chart.rows.isEmpty() ? "v-17m-4 5l4 -5l4 5" : "h17m-5 -4l5 4l-5 4");
            case NAME -> name(mark);
        }
    }

    private double px(double value) {
        return left + clamp(x.at(value)) * (width - left - right);
    }

    private double py(double value) {
        return py(value, y);
    }

    private double py(double value, AxisScale scale) {
        return height - BOTTOM - clamp(scale.at(value)) * (height - TOP - BOTTOM) + (stacked ? 8 : 0);
    }

    private static double clamp(double share) {
        return Math.min(1, Math.max(0, share));
    }

    private void axes() {
        svg.open("g", "class", "grid");
        for (int row = 0; row < chart.rows.size(); row++) {
            double middle = py(row + 0.5);
            if (stacked) {
                label(2, middle - 13, fitting(chart.rows.get(row)), "start");
            } else {
                label(left - 12.0, middle + 4, chart.rows.get(row), "end");
            }
        }
        for (AxisScale.Tick tick : chart.rows.isEmpty() ? y.ticks() : List.<AxisScale.Tick>of()) {
            double at = py(tick.value());
            line(left, at, width - right, at);
            label(left - 8, at + 4, tick.label(), "end");
        }
        ticksBelow();
        for (AxisScale.Tick tick : chart.right == null ? List.<AxisScale.Tick>of() : second.ticks()) {
            double at = py(tick.value(), second);
            line(width - right, at, width - right + 4, at);
            label(width - right + 8, at + 4, tick.label(), "start");
        }
        svg.close().open("g", "class", "unit");
        if (chart.rows.isEmpty()) {
            label(4, 12, chart.y.label(), "start");
        }
        label(width - right, height - 8, chart.x.label(), "end");
        if (chart.right != null) {
            label(width - 4, 12, chart.right.label(), "end");
        }
        svg.close();
    }

    private String fitting(String name) {
        return NumberFormat.cut(name, (int) (width / CHARACTER));
    }

    private void ticksBelow() {
        boolean through = !chart.rows.isEmpty();
        double previous = Double.NEGATIVE_INFINITY;
        for (AxisScale.Tick tick : x.ticks()) {
            double at = px(tick.value());
            double half = CHARACTER * tick.label().length() / 2;
            line(at, through ? TOP : height - BOTTOM, at, height - BOTTOM + (through ? 0 : 4));
            if (at - half > previous) {
                label(at, height - BOTTOM + 18, tick.label(), "middle");
                previous = at + half + 10;
            }
        }
    }

    private void line(double x1, double y1, double x2, double y2) {
        svg.open("line", "x1", n(x1), "y1", n(y1), "x2", n(x2), "y2", n(y2)).close();
    }

    private void label(double atX, double atY, String text, String anchor) {
        svg.element("text", text, "x", n(atX), "y", n(atY), "text-anchor", anchor);
    }

    private void band(Mark band) {
        double start = px(band.xs()[0]);
        double wide = px(band.xs()[1]) - start;
        if (wide <= 0) {
            return;
        }
        svg.open("g", "class", "band " + band.look());
        rectangle("", start, TOP, wide, height - TOP - BOTTOM, band.text());
        if (wide > CHARACTER * band.text().length() && !band.look().equals("disturbed")) {
            label(start + wide / 2, TOP - 6, band.text(), "middle");
        }
        svg.close();
    }

    private void rectangle(String look, double atX, double atY, double wide, double high, String text) {
        svg.open("rect", "class", look, "x", n(atX), "y", n(atY), "width", n(wide), "height", n(high))
                .element("title", text)
                .close();
    }

    private void mark(double at, String name) {
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
            marks.add(new Label(start, line, name));
            if (line < height - BOTTOM) {
                label(before ? place - 5 : place + 5, line, name, before ? "end" : "start");
            }
        }
        svg.close();
    }

    private boolean taken(double start, double wide, double line) {
        return marks.stream()
                .anyMatch(other -> other.y() == line
                        && start < other.x() + CHARACTER * other.text().length()
                        && other.x() < start + wide);
    }

    private void area(Mark mark) {
        double[] xs = mark.xs();
        double[] ys = mark.ys();
        StringBuilder path = new StringBuilder();
        int first = 0;
        for (int i = 0; i <= xs.length; i++) {
            if (i == xs.length || Double.isNaN(ys[i]) || Double.isNaN(ys[xs.length + i])) {
                for (int j = first; j < i; j++) {
                    path.append(j == first ? 'M' : 'L').append(place(xs[j], ys[xs.length + j]));
                }
                for (int j = i - 1; j >= first; j--) {
                    path.append('L').append(place(xs[j], ys[j])).append(j == first ? "z" : "");
                }
                first = i + 1;
            }
        }
        if (path.length() > 0) {
            svg.open("path", "class", "area " + mark.look(), "d", path.toString())
                    .close();
        }
    }

    private String place(double atX, double atY) {
        return n(px(atX)) + " " + n(py(atY));
    }

    private void line(double[] xs, double[] ys, AxisScale scale, String look) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        for (int i = 0; i < xs.length; i++) {
            boolean known = !Double.isNaN(ys[i]);
            if (known) {
                path.append(drawing ? 'L' : 'M')
                        .append(n(px(xs[i])))
                        .append(' ')
                        .append(n(py(ys[i], scale)));
            }
            drawing = known;
        }
        svg.open("path", "class", "line " + look, "d", path.toString()).close();
    }

    private void dot(Mark dot) {
        double atX = dot.xs()[0];
        double atY = dot.ys()[0];
        int across = beyond(x.at(atX));
        int down = -beyond(y.at(atY));
        if (across != 0 || down != 0) {
            arrow(dot, atX, across, across == 0 ? down : 0, ", beyond this scale");
        } else if (!Double.isNaN(atX) && !Double.isNaN(atY)) {
            svg.open("circle", "class", "dot " + dot.look(), "cx", n(px(atX)), "cy", n(py(atY)), "r", "4")
                    .element("title", dot.text())
                    .close();
        }
    }

    private void path(String look, String path, String text) {
        svg.open("path", "class", look, "d", path).element("title", text).close();
    }

    /** Returns -1 for a share below the scale, 1 above it, else 0. */
    private static int beyond(double share) {
        return share < -EDGE ? -1 : share > 1 + EDGE ? 1 : 0;
    }

    private void interval(Mark mark) {
        double row = mark.ys()[0];
        line(mark.xs(), new double[] {row, row}, y, mark.look());
        for (double end : mark.xs()) {
            if (beyond(x.at(end)) != 0) {
                arrow(mark, end, beyond(x.at(end)), 0, ", continues beyond this scale");
            }
        }
    }

    private void arrow(Mark mark, double at, int across, int down, String remark) {
        double atX = px(at);
        double atY = py(mark.ys()[0]);
        String path = "M" + n(atX + 7 * across) + " " + n(atY + 7 * down) + "L"
                + n(atX - 4 * across - 5 * down) + " " + n(atY - 4 * down - 5 * across) + "L"
                + n(atX - 4 * across + 5 * down) + " " + n(atY - 4 * down + 5 * across) + "z";
        path("beyond " + mark.look(), path, mark.text() + remark);
    }

    private void at(Mark mark, String look, int off, String path) {
        double atX = mark.xs()[0];
        double atY = mark.ys()[0];
        if (!Double.isNaN(atX) && !Double.isNaN(atY)) {
            path(look + " " + mark.look(), "M" + n(px(atX) + off) + " " + n(py(atY) + off) + path, mark.text());
        }
    }

    private void bar(Mark bar) {
        double from = px(bar.xs()[0]);
        double wide = px(bar.xs()[1]) - from;
        if (wide > 0.05) {
            rectangle("bar " + bar.look(), from, py(bar.ys()[0]) - 7, wide, 14, bar.text());
        }
    }

    private void cells(Mark mark) {
        double[] xs = mark.xs();
        double[] ys = mark.ys();
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < xs.length; i += 2) {
            double wide = px(xs[i + 1]) - px(xs[i]);
            double high = py(ys[i]) - py(ys[i + 1]);
            if (wide >= 0.05 && high >= 0.05) {
                path.append('M').append(place(xs[i], ys[i + 1])).append('h').append(n(wide));
                path.append('v').append(n(high)).append('h').append(n(-wide)).append('z');
            }
        }
        svg.open("path", "class", mark.look(), "d", path.toString()).close();
    }

    private void name(Mark mark) {
        double place = px(mark.xs()[0]);
        boolean before = place + 8 + CHARACTER * mark.text().length() > width;
        svg.open("g", "class", "name " + mark.look());
        label(before ? place - 8 : place + 8, py(mark.ys()[0]) + 4, mark.text(), before ? "end" : "start");
        svg.close();
    }

    private static String n(double value) {
        // A page has thousands of such numbers, and String.format is slow.
        long tenths = (long) Math.rint(value * 10);
        long whole = Math.abs(tenths) / 10;
        long rest = Math.abs(tenths) % 10;
        return (tenths < 0 ? "-" : "") + whole + (rest == 0 ? "" : "." + rest);
    }
}
