package weir.feature.site;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.feature.publish.PublishedFolder;
import weir.feature.site.KeyGroup.FoundChange;
import weir.report.HtmlReport;
import weir.report.Page;
import weir.report.RunView;
import weir.report.block.Block;
import weir.report.block.Block.Mark;
import weir.report.block.Html;
import weir.report.block.HtmlBlocks;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;
import weir.run.Exit;

/** The {@code weir site} command, which makes a static site of published results. */
@Command(
        name = "site",
        header = "Make a static site of published results.",
        footer = "Example: weir site published --to site",
        description = {
            "Makes a folder with an index of all results, the report of each result, charts of comparable results, and an"
                    + " Atom feed of changes. To read the site, open its index.html in a browser.",
            "Exit codes: 0, or 2 if a folder in DIR is not a published result. Weir names such a folder and skips it."
        })
public final class SiteCommand extends CliCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The folder with the folders that weir publish made.")
    private Path from = Path.of("");

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "The folder of the site. Weir replaces only a folder that weir site made.")
    private Path to = Path.of("");

    @Option(
            names = "--anyway",
            description = "Also make a page of each experiment with several keys. Each key has its own charts.")
    private boolean anyway;

    @Override
    public Integer call() {
        check();
        List<Path> folders = RunFiles.list(
                from,
                folder -> Files.isDirectory(folder)
                        && !folder.getFileName().toString().startsWith(".")
                        && !SiteFolder.isOne(folder));
        try (SiteFolder site = new SiteFolder(to)) {
            SortedMap<Path, String> reasons = new ConcurrentSkipListMap<>();
            List<PublishedResult> results = folders.parallelStream()
                    .flatMap(folder -> result(site, folder, reasons))
                    .toList();
            reasons.values().forEach(reason -> err().println(LineOutput.harmless(reason)));
            if (results.isEmpty()) {
                throw new UnreadableRunException(
                        from + ": contains no published result; to add a run: weir publish RUN --to " + from);
            }
            List<KeyGroup> groups = KeyGroup.of(results);
            write(site, results, groups);
            site.finish(WeirVersion.number(), results.size());
            out().println(to.resolve("index.html") + ": " + KeyPage.counted(results.size(), "result") + ", "
                    + KeyPage.counted(groups.size(), "key") + ", "
                    + KeyPage.counted(KeyGroup.changes(groups).size(), "change"));
            return (reasons.isEmpty() ? Exit.FINE : Exit.USAGE).code();
        }
    }

    private void check() {
        if (!Files.isDirectory(from)) {
            throw wrong("'" + from + "' is not a folder; name the folder with the folders that weir publish made");
        }
        if (Files.exists(to) && !Files.isDirectory(to)) {
            throw wrong("--to: '" + to + "' is a file; name a folder");
        }
        String foreign = SiteFolder.foreign(to);
        if (!foreign.isEmpty()) {
            throw wrong("--to: '" + to + "' contains '" + foreign
                    + "', which weir site did not make; move it, or name another folder");
        }
    }

    /** Reads a result and writes its report. {@code reasons} receives the reason why the folder is skipped. */
    private static Stream<PublishedResult> result(SiteFolder site, Path folder, Map<Path, String> reasons) {
        try {
            RunFolder run = PublishedFolder.intact(folder);
            PublishedResult result = PublishedResult.of(run);
            site.put(PublishedResult.address(result.run()), report(run, result));
            return Stream.of(result);
        } catch (UnreadableRunException e) {
            reasons.put(folder, String.valueOf(e.getMessage()));
            return Stream.of();
        }
    }

    /** The report of a result, with links to the site instead of links to raw files, which the site lacks. */
    private static String report(RunFolder run, PublishedResult result) {
        Page.Contents report = HtmlReport.contents(RunView.of(run));
        Block.Text links = Block.styled("overline").with(Mark.LINK, "All results", "../../index.html");
        for (String key : result.keys()) {
            links = links.with(Mark.LINK, "Charts with key " + key, "../../keys/" + key + ".html");
        }
        Page.Part reproduce = new Page.Part(
                "reproduce",
                "Reproduce",
                List.of(
                        Block.styled("command").with(Mark.CODE, run.asked().command(), "command"),
                        Block.more("experiment.yaml", Block.styled("").with(Mark.CODE, run.experimentYaml())),
                        Block.text("The raw data is in the published folder " + result.run()
                                + ". Weir computes all figures of the folder again with: weir verify "
                                + result.run())));
        List<Page.Part> parts = report.parts().stream()
                .map(part -> part.id().equals(reproduce.id()) ? reproduce : part)
                .toList();
        return Page.of(new Page.Contents(
                report.title(), HtmlBlocks.of(List.of(links)).add(report.header()), parts, report.footer()));
    }

    private void write(SiteFolder site, List<PublishedResult> results, List<KeyGroup> groups) {
        groups.parallelStream().forEach(group -> KeyPage.write(site, group, groups, results));
        SortedMap<String, List<KeyGroup>> several = new TreeMap<>();
        if (anyway) {
            groups.forEach(group -> group.experiments()
                    .forEach(name -> several.computeIfAbsent(name, none -> new ArrayList<>())
                            .add(group)));
            several.values().removeIf(own -> own.size() < 2);
        }
        several.forEach((name, own) -> KeyPage.write(site, name, own));
        site.put("index.html", IndexPage.of(results, groups, List.copyOf(several.keySet())));
        PublishedResult newest = results.get(results.size() - 1);
        String name = String.valueOf(from.toAbsolutePath().normalize().getFileName());
        site.put("feed.xml", AtomFeed.of(name, KeyGroup.changes(groups), RunFolder.time(newest.run())));
    }

    /** The Atom feed of a site: one entry for each change of level, the newest first. A change keeps its id. */
    private static final class AtomFeed {
        private AtomFeed() {}

        /** Returns the feed. {@code updated} is the time of the newest result. */
        static String of(String name, List<FoundChange> changes, Instant updated) {
            StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            xml.append("<feed xmlns=\"http://www.w3.org/2005/Atom\">\n");
            element(xml, "title", "Changes in " + name);
            element(xml, "id", id("feed " + name));
            element(xml, "updated", updated.toString());
            xml.append("<author><name>Weir</name></author>\n");
            xml.append("<link rel=\"self\" href=\"feed.xml\"/>\n<link href=\"index.html\"/>\n");
            for (FoundChange change : changes) {
                String key = change.group().key().id();
                xml.append("<entry>\n");
                element(xml, "title", change.sentence());
                element(xml, "id", id(String.join("\n", key, change.series(), change.run())));
                element(xml, "updated", RunFolder.time(change.run()).toString());
                xml.append("<link href=\"").append(change.group().address()).append("#changes\"/>\n");
                xml.append("<link rel=\"related\" href=\"")
                        .append(PublishedResult.address(change.run()))
                        .append("\"/>\n");
                element(xml, "summary", "Changed there: " + change.cause() + ".");
                xml.append("</entry>\n");
            }
            return xml.append("</feed>\n").toString();
        }

        private static void element(StringBuilder xml, String name, String text) {
            xml.append(new Html().element(name, text)).append('\n');
        }

        private static String id(String text) {
            return "urn:uuid:" + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
