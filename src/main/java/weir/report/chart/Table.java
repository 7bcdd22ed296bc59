package weir.report.chart;

import java.util.ArrayList;
import java.util.List;

/** A table: the twin of a chart, or a thing of its own. Columns after the first few are figures, set flush right. */
public final class Table {
    private final List<String> columns;
    private final int texts;
    private final List<List<Cell>> rows = new ArrayList<>();

    /** A text and the class of its cell. */
    public record Cell(String text, String look) {}

    /** @param texts how many columns hold text and not figures */
    public Table(int texts, String... columns) {
        this(texts, List.of(columns));
    }

    public Table(int texts, List<String> columns) {
        this.texts = texts;
        this.columns = List.copyOf(columns);
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

    public boolean empty() {
        return rows.isEmpty();
    }

    /** The table alone, scrolling sideways where the page is narrow. */
    public Html html(String id, String caption) {
        Html html = new Html();
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
        html.open("table", "id", id).element("caption", caption);
        html.open("thead").open("tr");
        for (int i = 0; i < columns.size(); i++) {
            // A column is headed the way its cells are set.
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
        return html.close().close().close();
    }

    /** The twin of a chart: folded, with a button that copies it. */
    public Html twin(String id, String caption) {
        Html html = new Html();
        html.open("details", "class", "twin").element("summary", "Table");
        html.element("button", "Copy as CSV", "type", "button", "class", "copy", "data-copy", id);
        return html.add(html(id, caption)).close();
    }
}
