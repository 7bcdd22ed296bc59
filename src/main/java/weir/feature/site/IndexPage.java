package weir.feature.site;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import weir.feature.site.KeyGroup.FoundChange;
import weir.feature.site.PublishedResult.KeyedVariant;
import weir.report.Page;
import weir.report.block.Block;
import weir.report.block.Block.Mark;
import weir.report.block.Html;
import weir.report.block.HtmlBlocks;
import weir.results.RunFolder;
import weir.results.value.NumberFormat;

/** The first page of a site: all results with filters, the newest changes, and the keys. */
final class IndexPage {
    private static final int MOST_CHANGES = 20;
    private static final int MOST_VARIANTS = 4;
    private static final int MOST_FIGURES = 2;

    private IndexPage() {}

    /** Returns the page. {@code experiments} are those that have a page of their own. */
    static String of(List<PublishedResult> results, List<KeyGroup> groups, List<String> experiments) {
        List<FoundChange> changes = KeyGroup.changes(groups);
        List<PublishedResult> newestFirst = new ArrayList<>(results);
        Collections.reverse(newestFirst);
        List<Page.Part> parts = new ArrayList<>();
        parts.add(new Page.Part(
                "results", "Results", new Html().add(filters(results)).add(table(newestFirst, ""))));
        List<Block> changed = new ArrayList<>();
        changed.add(Block.styled("")
                .with(Mark.PLAIN, KeyPage.counted(changes.size(), "change") + " of level. All changes are in the ")
                .with(Mark.LINK, "Atom feed", "feed.xml")
                .with(Mark.PLAIN, "."));
        if (!changes.isEmpty()) {
            changed.add(KeyPage.changes(changes.stream().limit(MOST_CHANGES).toList(), ""));
        }
        parts.add(new Page.Part("changes", "Changes", changed));
        parts.add(new Page.Part("keys", "Keys", keys(groups)));
        if (!experiments.isEmpty()) {
            List<Block.Text> links = experiments.stream()
                    .map(name -> Block.styled("").with(Mark.LINK, name, KeyPage.address(name)))
                    .toList();
            parts.add(new Page.Part("experiments", "Experiments with several keys", List.of(Block.list("", links))));
        }
        List<Block> header = List.of(
                Block.styled("overline", "Results of Weir, a performance lab for Apache Kafka"),
                new Block.Heading(
                        1,
                        "",
                        KeyPage.counted(results.size(), "result") + ", "
                                + KeyPage.counted(groups.size(), "key") + ", "
                                + KeyPage.counted(changes.size(), "change")));
        return Page.of(new Page.Contents("Results · Weir", header, parts, KeyPage.footer()), KeyPage.RESOURCES);
    }

    /** The script shows the filters. Without scripts, the table shows all results. */
    private static Html filters(List<PublishedResult> results) {
        Html html = new Html().open("p", "class", "filters", "hidden", "");
        html.open("label").text("Text ").open("input", "type", "search", "name", "text");
        html.close();
        filter(html, "Experiment", results, result -> List.of(result.summary().name()));
        filter(html, "Kafka", results, PublishedResult::releases);
        filter(html, "Key", results, PublishedResult::keys);
        return html.element("output", "").close();
    }

    private static void filter(
            Html html, String name, List<PublishedResult> results, Function<PublishedResult, List<String>> values) {
        SortedSet<String> all = new TreeSet<>();
        results.forEach(result -> all.addAll(values.apply(result)));
        html.open("label").text(name + " ").open("select", "name", name.toLowerCase(Locale.ROOT));
        html.element("option", "all", "value", "");
        all.forEach(value -> html.element("option", value));
        html.close().close();
    }

    /** Returns a table of results. {@code up} is the path from the page to the folder of the site. */
    static Html table(List<PublishedResult> results, String up) {
        Html html = head("Results", "experiment", "date", "answer", "Kafka", "machine", "figures", "state", "keys");
        for (PublishedResult result : results) {
            String name = result.summary().name();
            html.open(
                            "tr",
                            "data-experiment",
                            name,
                            "data-kafka",
                            String.join("\n", result.releases()),
                            "data-key",
                            String.join("\n", result.keys()))
                    .open("th", "scope", "row", "class", "text")
                    .element("a", name, "href", up + PublishedResult.address(result.run()))
                    .close();
            cell(html, date(RunFolder.time(result.run())));
            html.open("td", "class", "text");
            if (!result.question().isBlank()) {
                html.element("i", result.question()).open("br");
            }
            html.text(result.answer()).close();
            cell(html, String.join(", ", result.releases()));
            cell(html, result.machine());
            lines(html, figures(result));
            html.open("td", "class", "text")
                    .element(
                            "span",
                            result.summary().state(),
                            "class",
                            "badge " + result.summary().state())
                    .text(" " + String.join(", ", result.doubts()))
                    .close();
            html.open("td", "class", "text");
            for (String key : result.keys()) {
                html.element("a", key, "href", up + "keys/" + key + ".html").text(" ");
            }
            html.close().close().line();
        }
        return html.close().close().close();
    }

    private static Html head(String caption, String... columns) {
        Html html = new Html()
                .open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption)
                .open("table", "class", "site")
                .open("thead")
                .open("tr");
        for (String column : columns) {
            html.element("th", column, "scope", "col", "class", "text");
        }
        return html.close().close().open("tbody");
    }

    private static void cell(Html html, String text) {
        html.element("td", text, "class", "text");
    }

    private static void lines(Html html, List<String> lines) {
        html.open("td", "class", "text");
        lines.forEach(line -> html.text(line).open("br"));
        html.close();
    }

    private static String date(Instant time) {
        return time.toString().substring(0, 16).replace('T', ' ');
    }

    private static List<String> figures(PublishedResult result) {
        List<String> lines = new ArrayList<>();
        List<KeyedVariant> measured = result.variants().stream()
                .filter(variant -> !variant.figures().isEmpty())
                .toList();
        for (KeyedVariant variant : measured.subList(0, Math.min(MOST_VARIANTS, measured.size()))) {
            List<String> figures = variant.figures().entrySet().stream()
                    .limit(MOST_FIGURES)
                    .map(one -> one.getKey() + " " + NumberFormat.figure(one.getKey(), one.getValue()))
                    .toList();
            lines.add(variant.name() + ": " + String.join(", ", figures));
        }
        if (measured.size() > MOST_VARIANTS) {
            lines.add("and " + KeyPage.counted(measured.size() - MOST_VARIANTS, "other variant"));
        }
        return lines;
    }

    private static Html keys(List<KeyGroup> groups) {
        Html html = HtmlBlocks.of(List.of(Block.text("Results share an axis only if they have the same key.")));
        Html table = head("Keys", "key", "results", "experiments", "changes", "conditions");
        for (KeyGroup group : groups) {
            table.open("tr")
                    .open("th", "scope", "row", "class", "text")
                    .element("a", group.key().id(), "href", group.address())
                    .close();
            cell(table, String.valueOf(group.runs().size()));
            cell(table, String.join(", ", group.experiments()));
            cell(table, String.valueOf(group.changes().size()));
            lines(
                    table,
                    group.parts().entrySet().stream()
                            .map(part -> part.getKey() + ": " + part.getValue())
                            .toList());
            table.close().line();
        }
        return html.add(table.close().close().close());
    }
}
