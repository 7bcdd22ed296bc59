package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** A chart as data: its axes, the marks along them, its legend, and the table with its figures. */
public final class Chart implements Block {
    private static final int COLOURS = 7;

    final String title;
    final Axis x;
    final Axis y;
    final List<String> rows;
    final List<Mark> marks = new ArrayList<>();
    final List<Key> keys = new ArrayList<>();
    final List<Chart> below = new ArrayList<>();
    final List<Table> tables = new ArrayList<>();

    @Nullable Axis right;

    boolean wide;
    int height = 320;
    String look = "";
    String live = "";
    String unit = "";
    String note = "";
    String described = "";

    record Key(String name, String look) {}

    enum Shape {
        BAND,
        MARK,
        LINE,
        LINE_RIGHT,
        DIAGONAL,
        AREA,
        LEVEL,
        INTERVAL,
        BAR,
        CELLS,
        DOT,
        CROSS,
        AT_LEAST,
        NAME
    }

    /** One or more points as one shape; {@code text} is the tooltip or the name of the shape. */
    @SuppressWarnings("ArrayRecordComponent")
    record Mark(Shape shape, String look, String text, double[] xs, double... ys) {}

    public Chart(String title, Axis x, Axis y) {
        this(title, x, y, List.of());
    }

    private Chart(String title, Axis x, Axis y, List<String> rows) {
        this.title = title;
        this.x = x;
        this.y = y;
        this.rows = List.copyOf(rows);
    }

    /** Returns a chart of named rows, the first at the top. The middle of row i is at i + 0.5. */
    public static Chart ofRows(String title, Axis x, List<String> rows) {
        return new Chart(title, x, Axis.of("", new AxisScale.Linear(rows.size(), 0)), rows);
    }

    /** Returns the class of the n-th colour, from Okabe and Ito's palette for colour-blind readers. */
    public static String color(int index) {
        return "c" + (index % COLOURS + 1);
    }

    public Chart wide() {
        wide = true;
        return this;
    }

    public Chart height(int pixels) {
        height = pixels;
        return this;
    }

    public Chart look(String classes) {
        look = classes;
        return this;
    }

    public Chart right(Axis axis) {
        right = axis;
        return this;
    }

    /** Names the chart, so that a script can redraw it. */
    public Chart live(String name, String newUnit) {
        live = name;
        unit = newUnit;
        return this;
    }

    public Chart note(String text) {
        note = text;
        return this;
    }

    public Chart key(String name, String keyLook) {
        keys.add(new Key(name, keyLook));
        return this;
    }

    public Chart below(Chart other) {
        below.add(other);
        return this;
    }

    public Chart table(Table table) {
        tables.add(table);
        return describedBy(table.id());
    }

    /** Refers to another table on the page that contains the figures of the chart. */
    public Chart describedBy(String id) {
        described = id;
        return this;
    }

    /** Returns the drawing as an SVG file with the title and the legend, for other pages. */
    public String svg(String caption) {
        return SvgChart.file(this, caption);
    }

    private Chart add(Shape shape, String markLook, String text, double[] xs, double... ys) {
        marks.add(new Mark(shape, markLook, text, xs, ys));
        return this;
    }

    private Chart cover(Shape shape, String markLook, String text, double[] xs, double... ys) {
        x.cover(xs);
        y.cover(ys);
        return add(shape, markLook, text, xs, ys);
    }

    private static double[] at(double... values) {
        return values;
    }

    public Chart band(double from, double to, String name, String bandLook) {
        return add(Shape.BAND, bandLook, name, at(from, to));
    }

    public Chart mark(double at, String name) {
        return add(Shape.MARK, "", name, at(at));
    }

    /** Draws a line, with an entry in the legend if it has a name. A missing value (NaN) interrupts the line. */
    public Chart line(String name, String lineLook, double[] xs, double... ys) {
        named(name, lineLook);
        return cover(Shape.LINE, lineLook, "", xs, ys);
    }

    public Chart lineRight(String name, String lineLook, double[] xs, double... ys) {
        named(name, lineLook);
        (right == null ? y : right).cover(ys);
        return add(Shape.LINE_RIGHT, lineLook, "", xs, ys);
    }

    private void named(String name, String lineLook) {
        if (!name.isEmpty()) {
            key(name, lineLook);
        }
    }

    /** Draws the line of equal values on both axes. */
    public Chart diagonal() {
        return add(Shape.DIAGONAL, "ideal", "", at());
    }

    /** Fills the area between two lines; an unknown end interrupts it. The area does not extend the scale. */
    public Chart area(String areaLook, double[] xs, double[] lows, double[] highs) {
        return add(
                Shape.AREA,
                areaLook,
                "",
                xs,
                DoubleStream.concat(DoubleStream.of(lows), DoubleStream.of(highs))
                        .toArray());
    }

    public Chart level(double from, double to, double value, String levelLook, String text) {
        return cover(Shape.LEVEL, levelLook, text, at(from, to), value);
    }

    /** Draws an interval along a row. An end beyond the scale becomes an arrow. */
    public Chart interval(double from, double to, double row, String intervalLook, String text) {
        return add(Shape.INTERVAL, intervalLook, text, at(from, to), row);
    }

    public Chart bar(double from, double to, double row, String barLook, String text) {
        return add(Shape.BAR, barLook, text, at(from, to), row);
    }

    /** Fills rectangles. Each has two values on each axis: its start and its end. */
    public Chart cells(String cellLook, double[] xs, double... ys) {
        return xs.length == 0 ? this : cover(Shape.CELLS, cellLook, "", xs, ys);
    }

    /** Draws a dot with a tooltip, or an arrow at the edge if it is beyond the scale. */
    public Chart dot(double atX, double atY, String dotLook, String text) {
        return cover(Shape.DOT, dotLook, text, at(atX), atY);
    }

    public Chart cross(double atX, double atY, String crossLook, String text) {
        return cover(Shape.CROSS, crossLook, text, at(atX), atY);
    }

    /** Marks a lower bound with a stroke upwards from the point, or to the right along a row. */
    public Chart atLeast(double atX, double atY, String strokeLook, String text) {
        return cover(Shape.AT_LEAST, strokeLook, text, at(atX), atY);
    }

    public Chart name(double atX, double atY, String nameLook, String text) {
        return cover(Shape.NAME, nameLook, text, at(atX), atY);
    }
}
