package weir.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import weir.results.RunFolder;

/** The report of a run: one file that needs nothing else, made from the run's folder alone. */
public final class HtmlReport {
    private HtmlReport() {}

    /** Makes the report, replacing an earlier one, and says where it is. */
    public static Path write(RunFolder folder) {
        folder.put(String.valueOf(folder.report().getFileName()), of(folder));
        return folder.report();
    }

    public static String of(RunFolder folder) {
        Story story = Story.of(folder);
        Timelines timelines = new Timelines(story);
        boolean times = !story.variants().isEmpty() && timelines.any();
        List<Page.Section> sections = sections(story, timelines, times);
        return Page.of(
                story.asked().name() + " · Weir",
                Headline.html(story),
                sections,
                "Made by Weir " + story.asked().weir() + " from "
                        + folder.path().getFileName(),
                times ? timelines.data() : "");
    }

    private static List<Page.Section> sections(Story story, Timelines timelines, boolean times) {
        List<Page.Section> sections = new ArrayList<>();
        boolean several = story.variants().size() > 1;
        boolean any = !story.passes().isEmpty();
        add(sections, !story.expect().isEmpty(), "expectations", "Expectations", Doubts.expectations(story.expect()));
        add(sections, !story.caveats().isEmpty(), "caveats", "Caveats", Doubts.caveats(story));
        if (several) {
            add(sections, true, "differences", "What differs", Differences.html(story));
            add(sections, true, "comparison", "Comparison", Comparing.html(story));
        }
        add(sections, any && !story.overheads().isEmpty(), "overhead", "Overhead", Quantiles.html(story));
        add(sections, !story.fits().isEmpty(), "fit", "Cost of a transaction", CostModel.html(story));
        add(sections, !story.capacities().isEmpty(), "search", "Search", SearchTrace.html(story));
        add(sections, any && CatchUps.any(story), "catch-up", "Catching up", CatchUps.html(story));
        if (any) {
            add(sections, LoadCurves.any(story), "load", "Load curve", LoadCurves.html(story));
            add(sections, PaceChart.any(story), "pace", "The pace", PaceChart.html(story));
        }
        if (times) {
            add(sections, true, "time", "Over time", timelines.html());
        }
        if (any) {
            add(sections, true, "spectrum", "Spectrum", Spectra.html(story));
            add(sections, true, "parts", "Parts of latency", Parts.html(story));
            add(sections, true, "ledger", "Ledger", Accounts.html(story));
            add(sections, true, "generator", "Our own generator", OwnGenerator.html(story));
        }
        add(sections, true, "configuration", "Configuration", Configuration.html(story));
        add(sections, true, "method", "Method", Closing.method());
        add(sections, true, "glossary", "Glossary", Words.glossary());
        add(sections, true, "reproduce", "Reproduce", Closing.reproduce(story));
        return sections;
    }

    private static void add(List<Page.Section> sections, boolean there, String id, String title, Html body) {
        if (there) {
            sections.add(new Page.Section(id, title, body));
        }
    }
}
