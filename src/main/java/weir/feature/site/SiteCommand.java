package weir.feature.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import weir.cli.CliCommand;
import weir.cli.WeirVersion;
import weir.cli.terminal.LineOutput;
import weir.feature.publish.PublishedFolder;
import weir.report.HtmlReport;
import weir.report.Page;
import weir.report.RunView;
import weir.report.block.Block;
import weir.report.block.Block.Mark;
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

    /** One folder: a result, or the reason why it is skipped. */
    private record Entry(List<PublishedResult> result, List<String> reason) {}

    @Override
    public Integer call() {
        check();
        List<Path> folders = RunFiles.list(
                from,
                folder -> Files.isDirectory(folder)
                        && !folder.getFileName().toString().startsWith(".")
                        && !SiteFolder.isOne(folder));
        try (SiteFolder site = new SiteFolder(to)) {
            List<Entry> entries =
                    folders.parallelStream().map(folder -> entry(site, folder)).toList();
            List<String> reasons = each(entries, Entry::reason);
            reasons.forEach(reason -> err().println(LineOutput.harmless(reason)));
            List<PublishedResult> results = each(entries, Entry::result);
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

    private static <T> List<T> each(List<Entry> entries, Function<Entry, List<T>> part) {
        return entries.stream().map(part).flatMap(List::stream).toList();
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

    /** Reads a result and writes its report. */
    private static Entry entry(SiteFolder site, Path folder) {
        try {
            RunFolder run = PublishedFolder.intact(folder);
            PublishedResult result = PublishedResult.of(run);
            site.put(PublishedResult.address(result.run()), report(run, result));
            return new Entry(List.of(result), List.of());
        } catch (UnreadableRunException e) {
            return new Entry(List.of(), List.of(String.valueOf(e.getMessage())));
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
        site.put("feed.xml", AtomFeed.of(name, KeyGroup.changes(groups), PublishedResult.time(newest.run())));
    }
}
