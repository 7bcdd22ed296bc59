package weir.report.block;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import weir.results.value.ComparisonResult.PublishedRatio;
import weir.results.value.LatencyResult;
import weir.results.value.NumberFormat;

/** A table of a report. The first columns contain text, the other columns figures. */
public final class Table implements Block {
    private static final int MOST_ROWS = 12;

    private final List<String> columns;
    private final int texts;
    private final List<List<Cell>> rows = new ArrayList<>();
    private String id = "";
    private String caption = "";
    private boolean folded;
    private int most = MOST_ROWS;

    public record Cell(String text, String look) {}

    /** {@code texts} is the number of columns with text instead of figures. */
    public Table(int texts, String... columns) {
        this(texts, List.of(columns));
    }

    public Table(int texts, List<String> columns) {
        this.texts = texts;
        this.columns = List.copyOf(columns);
    }

    public static final class Columns<R> {
        private final int texts;
        private final List<R> values;
        private final List<String> names = new ArrayList<>();
        private final List<List<Cell>> rows;

        private Columns(int texts, Collection<R> values) {
            this.texts = texts;
            this.values = List.copyOf(values);
            rows = this.values.stream()
                    .<List<Cell>>map(value -> new ArrayList<>())
                    .toList();
        }

        public Columns<R> column(String name, Function<R, String> text) {
            return column(name, text, value -> "");
        }

        public Columns<R> column(String name, Function<R, String> text, Function<R, String> look) {
            names.add(name);
            for (int i = 0; i < values.size(); i++) {
                rows.get(i).add(new Cell(text.apply(values.get(i)), look.apply(values.get(i))));
            }
            return this;
        }

        /** Adds a column for each name. {@code cells} returns the values of a row in the same order. */
        public Columns<R> columns(List<String> columns, Function<R, List<String>> cells) {
            for (int i = 0; i < columns.size(); i++) {
                int place = i;
                column(columns.get(i), value -> cells.apply(value).get(place));
            }
            return this;
        }

        /** Adds percentiles of a latency, 100 for its maximum. The first heading begins with the prefix. */
        public Columns<R> latencies(String prefix, Function<R, LatencyResult> latency, double... percentiles) {
            for (double percentile : percentiles) {
                column(
                        (percentile == percentiles[0] ? prefix : "") + percentile(percentile),
                        value -> NumberFormat.latency(latency.apply(value), percentile));
            }
            return this;
        }

        /** Adds a column for each source of published ratios. */
        public Columns<R> published(Function<R, List<PublishedRatio>> ratios) {
            values.stream()
                    .flatMap(value -> ratios.apply(value).stream())
                    .map(PublishedRatio::source)
                    .distinct()
                    .forEach(source -> column(
                            "published: " + source, value -> PublishedRatio.written(ratios.apply(value), source)));
            return this;
        }

        public Table as(String id, String caption) {
            return table().as(id, caption);
        }

        public Table table() {
            Table table = new Table(texts, names);
            rows.forEach(table::cells);
            return table;
        }
    }

    public static String percentile(double percentile) {
        return percentile == 100 ? "max" : "p" + String.valueOf(percentile).replaceFirst("\\.0$", "");
    }

    public static <R> Columns<R> of(int texts, Collection<R> values) {
        return new Columns<>(texts, values);
    }

    public Table row(String... cells) {
        return row(List.of(cells));
    }

    public Table row(List<String> cells) {
        return cells(cells.stream().map(text -> new Cell(text, "")).toList());
    }

    public Table cells(List<Cell> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for the columns " + columns);
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    public Table as(String newId, String newCaption) {
        id = newId;
        caption = newCaption;
        return this;
    }

    /** Hides the table until the user opens it, and adds a copy button; for figures that a chart already shows. */
    public Table folded() {
        folded = true;
        return this;
    }

    public Table most(int newMost) {
        most = newMost;
        return this;
    }

    public boolean empty() {
        return rows.isEmpty();
    }

    String id() {
        return id;
    }

    public int most() {
        return most;
    }

    public List<List<String>> lines() {
        return Stream.concat(
                        Stream.of(columns),
                        rows.stream().map(row -> row.stream().map(Cell::text).toList()))
                .toList();
    }

    void draw(Html html) {
        if (folded) {
            html.open("details", "class", "twin").element("summary", "Table");
            html.element("button", "Copy as CSV", "type", "button", "class", "copy", "data-copy", id);
        }
        // On a narrow page, the table scrolls sideways.
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
        html.open("table", "id", id).element("caption", caption);
        html.open("thead").open("tr");
        for (int i = 0; i < columns.size(); i++) {
            // A heading is aligned like its cells.
            String look = i < texts
                    ? "text"
                    : rows.isEmpty() ? "figure" : "figure " + rows.get(0).get(i).look();
            html.open("th", "scope", "col", "class", look.strip())
                    .add(GlossaryLinks.linked(columns.get(i)))
                    .close();
        }
        html.close().close().open("tbody");
        for (List<Cell> row : rows) {
            html.open("tr");
            for (int i = 0; i < row.size(); i++) {
                Cell cell = row.get(i);
                String look = ((i < texts ? "text " : "figure ") + cell.look()).strip();
                if (i == 0) {
                    html.element("th", cell.text(), "scope", "row", "class", look);
                } else {
                    html.element("td", cell.text(), "class", look);
                }
            }
            html.close().line();
        }
        html.close().close().close();
        if (folded) {
            html.close();
        }
    }
}
