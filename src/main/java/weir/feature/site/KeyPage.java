package weir.feature.site;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import weir.cli.WeirVersion;
import weir.feature.site.KeyGroup.FoundChange;
import weir.feature.site.KeyGroup.Neighbour;
import weir.report.Page;
import weir.report.block.Block;
import weir.report.block.Block.Mark;
import weir.report.block.Chart;

/** The pages with charts: one of each key, and on request one of each experiment with a panel for each key. */
final class KeyPage {
    private static final int MOST_NEIGHBOURS = 12;

    /** The resources that the pages of a site share. */
    static final String RESOURCES = "site";

    private static final String UP = "../";

    private final SiteFolder site;
    private final KeyGroup group;
    private final Set<String> files = new HashSet<>();

    private KeyPage(SiteFolder site, KeyGroup group) {
        this.site = site;
        this.group = group;
    }

    /** Writes the page of a key and its charts. {@code all} are the groups of the site. */
    static void write(SiteFolder site, KeyGroup group, List<KeyGroup> all, List<PublishedResult> results) {
        List<Page.Part> parts = new ArrayList<>();
        List<FoundChange> changes = group.changes();
        if (!changes.isEmpty()) {
            parts.add(new Page.Part("changes", "Changes", List.of(changes(changes, UP))));
        }
        KeyPage page = new KeyPage(site, group);
        for (FigureCharts figure : FigureCharts.of(group)) {
            parts.add(page.figure(figure, parts.size()));
        }
        String id = group.key().id();
        List<PublishedResult> own =
                results.stream().filter(result -> result.keys().contains(id)).toList();
        parts.add(new Page.Part("results", "Results", IndexPage.table(own, UP)));
        List<Neighbour> neighbours = group.neighbours(all);
        if (!neighbours.isEmpty()) {
            List<Block.Text> texts = neighbours.stream()
                    .limit(MOST_NEIGHBOURS)
                    .map(other -> Block.styled("")
                            .with(Mark.LINK, other.id(), other.id() + ".html")
                            .with(Mark.PLAIN, ": " + other.text("this key")))
                    .toList();
            parts.add(new Page.Part(
                    "neighbours",
                    "Other keys",
                    List.of(
                            Block.text("No result with another key shares an axis with these results. The keys with the"
                                    + " fewest differences:"),
                            Block.list("", texts))));
        }
        if (!group.notes().isEmpty()) {
            parts.add(new Page.Part("notes", "Notes on the changes", List.of(Block.list(group.notes()))));
        }
        String heading = String.join(", ", group.experiments()) + ": "
                + counted(group.runs().size(), "result") + " with the same key";
        List<Block> header = List.of(
                overline("key " + id),
                new Block.Heading(1, "", heading),
                Block.styled(
                        "scope",
                        "Results with one key have the same workload, load, product, topology, machine and method."),
                new Block.Facts(
                        "facts",
                        group.parts().entrySet().stream()
                                .map(part -> new Block.Fact(part.getKey(), part.getValue(), "", ""))
                                .toList()));
        site.put(group.address(), page("key " + id, header, parts));
    }

    private static Block overline(String name) {
        return Block.styled("overline")
                .with(Mark.LINK, "All results", UP + "index.html")
                .with(Mark.SPAN, name, "run");
    }

    private static String page(String title, List<Block> header, List<Page.Part> parts) {
        return Page.of(new Page.Contents(title + " · Weir", header, parts, footer()), RESOURCES);
    }

    static String footer() {
        return "Made by Weir " + WeirVersion.number();
    }

    static String counted(int number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    static Block changes(List<FoundChange> changes, String up) {
        return Block.list(
                "",
                changes.stream()
                        .map(change -> Block.styled("")
                                .with(Mark.LINK, change.sentence(), up + PublishedResult.address(change.run()))
                                .with(Mark.PLAIN, ". Changed there: " + change.cause() + " (")
                                .with(
                                        Mark.LINK,
                                        "key " + change.group().key().id(),
                                        up + change.group().address())
                                .with(Mark.PLAIN, ")"))
                        .toList());
    }

    private Page.Part figure(FigureCharts figure, int number) {
        Block.Text links = Block.styled("files").with(Mark.PLAIN, "SVG files for other pages: ");
        List<Chart> charts = new ArrayList<>();
        for (Map.Entry<String, Chart> one : figure.charts().entrySet()) {
            Chart chart = one.getValue();
            String file = file(figure.metric() + "-by-" + one.getKey());
            site.put(file, chart.svg("key " + group.key().id() + ", " + String.join(", ", group.experiments())));
            links = links.with(Mark.LINK, one.getKey(), UP + file).with(Mark.PLAIN, " ");
            charts.add(chart);
        }
        return new Page.Part("figure-" + number, figure.metric(), List.of(Block.charts(charts), links));
    }

    /** Returns the file of a chart. Its name stays if other results are added, so that links to it stay. */
    private String file(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
        String start = "charts/" + group.key().id() + "-" + plain.substring(0, Math.min(100, plain.length()));
        String file = start + ".svg";
        for (int i = 2; !files.add(file); i++) {
            file = start + "-" + i + ".svg";
        }
        return file;
    }

    static String address(String experiment) {
        return "experiments/" + experiment + ".html";
    }

    /** Writes a page with all results of an experiment. Each key has its own charts with their own axes. */
    static void write(SiteFolder site, String experiment, List<KeyGroup> groups) {
        List<Page.Part> parts = new ArrayList<>();
        for (KeyGroup group : groups) {
            String id = group.key().id();
            KeyGroup first = groups.get(0);
            Block.Text text = Block.styled("").with(Mark.LINK, "All results with key " + id, UP + group.address());
            if (!first.key().id().equals(id)) {
                text = text.with(
                        Mark.PLAIN,
                        ". " + first.neighbour(group).text(first.key().id()));
            }
            Block charts = Block.charts(FigureCharts.of(group.only(experiment)).stream()
                    .map(FigureCharts::byDate)
                    .toList());
            parts.add(new Page.Part("key-" + id, "Key " + id, List.of(text, charts)));
        }
        List<Block> header = List.of(
                overline(experiment),
                new Block.Heading(1, "", experiment + ": " + counted(groups.size(), "key")),
                Block.styled("scope", "Results of different keys are not comparable, so they have separate charts."));
        site.put(address(experiment), page(experiment, header, parts));
    }
}
