package weir.report.block;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import weir.report.block.Block.Text;

public final class HtmlBlocks {
    private final Html html = new Html();

    private HtmlBlocks() {}

    public static Html of(List<? extends Block> blocks) {
        HtmlBlocks page = new HtmlBlocks();
        page.draw(blocks);
        return page.html;
    }

    private void draw(List<? extends Block> blocks) {
        blocks.forEach(this::draw);
    }

    private void draw(Block block) {
        if (block instanceof Block.Heading heading) {
            html.element("h" + heading.level(), heading.text(), classes(heading.look()));
        } else if (block instanceof Text text) {
            // Code keeps its line breaks.
            boolean code = text.spans().get(0).mark() == Block.Mark.CODE;
            text(code ? "pre" : "p", text);
        } else if (block instanceof Block.Items items) {
            html.open("ul", classes(items.look()));
            items.entries().forEach(entry -> text("li", entry));
            html.close();
        } else if (block instanceof Table table) {
            table.draw(html);
        } else if (block instanceof Chart chart) {
            chart(chart);
        } else if (block instanceof Block.Group group) {
            html.open("div", "class", group.look());
            draw(group.inside());
            html.close();
        } else if (block instanceof Block.Details details) {
            List<String> attributes = new ArrayList<>(List.of("class", details.look()));
            attributes.addAll(details.open() ? List.of("open", "") : List.of());
            html.open("details", attributes.toArray(String[]::new));
            text("summary", details.summary());
            draw(details.inside());
            html.close();
        } else if (block instanceof Block.Facts facts) {
            facts(facts);
        } else if (block instanceof Block.Live live) {
            live(live);
        } else {
            throw new AssertionError("no such block: " + block);
        }
    }

    private static String[] classes(String look) {
        return look.isEmpty() ? new String[0] : new String[] {"class", look};
    }

    private void text(String element, Text text) {
        html.open(element, classes(text.look()));
        for (Block.Span span : text.spans()) {
            switch (span.mark()) {
                case PLAIN -> html.text(span.text());
                case STRONG -> html.element("b", span.text());
                case CODE ->
                    html.element(
                            "code",
                            span.text(),
                            span.where().isEmpty() ? new String[0] : new String[] {"id", span.where()});
                case SPAN -> html.element("span", span.text(), "class", span.where());
                case BADGE -> html.element("a", span.text(), "class", span.where(), "href", "#caveats");
                case LINK -> html.element("a", span.text(), "href", span.where());
            }
        }
        html.close();
    }

    private void live(Block.Live live) {
        html.open("div", "class", "picker", "role", "group", "aria-label", "Trial");
        for (int number = 0; number < live.names().size() && live.names().size() > 1; number++) {
            html.element(
                    "button",
                    live.names().get(number),
                    "type",
                    "button",
                    "data-trial",
                    String.valueOf(number),
                    "aria-pressed",
                    String.valueOf(number == live.first()));
        }
        html.close().verbatim("script", live.json(), "type", "application/json", "id", "data");
    }

    private void facts(Block.Facts facts) {
        html.open("dl", "class", facts.look());
        for (Block.Fact fact : facts.facts()) {
            html.open("div");
            if (fact.look().isEmpty()) {
                html.element("dt", fact.name()).element("dd", fact.value());
            } else {
                html.open("dt").add(GlossaryLinks.linked(fact.name())).close();
                html.element("dd", fact.value(), "class", fact.look()).element("dd", fact.remark(), "class", "note");
            }
            html.close();
        }
        html.close();
    }

    private void chart(Chart chart) {
        boolean live = !chart.live.isEmpty();
        boolean empty = chart.marks.isEmpty() && chart.below.isEmpty();
        String look = ("chart " + (chart.wide ? "wide " : "") + chart.look).strip();
        List<String> attributes = new ArrayList<>(List.of("class", look));
        if (live) {
            attributes.addAll(List.of("data-chart", chart.live));
            // Only another trial has this chart, which the script shows there.
            attributes.addAll(empty ? List.of("hidden", "") : List.of());
        }
        html.open("figure", attributes.toArray(String[]::new))
                .open("figcaption")
                .open("h3")
                .text(chart.title);
        if (!chart.unit.isEmpty()) {
            html.text(" ").element("small", chart.unit);
        }
        html.close();
        if (!chart.note.isEmpty()) {
            html.element("p", chart.note);
        }
        html.close();
        if (live || !chart.keys.isEmpty()) {
            html.open("p", "class", "keys");
            for (Chart.Key key : chart.keys) {
                html.open("span")
                        .element("i", "", "class", "key " + key.look())
                        .text(key.name())
                        .close();
            }
            html.close();
        }
        html.open("div", "class", "drawing");
        boolean still = live && !empty;
        if (still) {
            html.open("div", "class", "still");
        }
        Stream.concat(Stream.of(chart), chart.below.stream())
                .filter(each -> !each.marks.isEmpty())
                .forEach(each -> SvgChart.draw(html, each, chart.described));
        if (still) {
            html.close();
        }
        html.close();
        draw(chart.tables);
        html.close();
    }
}
