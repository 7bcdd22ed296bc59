package weir.report.chart;

import java.util.List;
import java.util.function.Function;

/** A chart in its frame: title, what to read from it, keys, drawing, and its table. */
public final class Chart {
    private Chart() {}

    /** A name in the legend and the look it stands for. */
    public record Key(String name, String look) {}

    /** A drawing for a page and the same for a phone, where lines are short: one of them is shown. */
    public static Html drawn(Function<Plot.Width, Plot> plot, Plot.Width broad, String describedBy) {
        return new Html()
                .add(plot.apply(broad).svg(describedBy))
                .add(plot.apply(Plot.Width.NARROW).svg(describedBy));
    }

    public static Html framed(String title, String note, List<Key> keys, Html drawing, Html table, boolean wide) {
        Html html = new Html();
        html.open("figure", "class", wide ? "chart wide" : "chart")
                .open("figcaption")
                .element("h3", title);
        if (!note.isEmpty()) {
            html.element("p", note);
        }
        html.close();
        if (!keys.isEmpty()) {
            html.open("p", "class", "keys");
            for (Key key : keys) {
                html.open("span")
                        .element("i", "", "class", "key " + key.look())
                        .text(key.name())
                        .close();
            }
            html.close();
        }
        html.open("div", "class", "drawing").add(drawing).close();
        return html.add(table).close();
    }
}
