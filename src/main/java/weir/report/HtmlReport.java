package weir.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import weir.report.chart.Html;
import weir.report.chart.PaceChart;
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
        RunView story = RunView.of(folder);
        TimelineSection timelines = new TimelineSection(story);
        boolean times = !story.variants().isEmpty() && timelines.any();
        List<Page.Section> sections = sections(story, timelines, times);
        return Page.of(
                story.asked().name() + " · Weir",
                HeadlineSection.html(story),
                sections,
                "Made by Weir " + story.asked().weir() + " from "
                        + folder.path().getFileName(),
                times ? timelines.data() : "");
    }

    private static List<Page.Section> sections(RunView story, TimelineSection timelines, boolean times) {
        List<Page.Section> sections = new ArrayList<>();
        boolean several = story.variants().size() > 1;
        boolean any = !story.passes().isEmpty();
        add(
                sections,
                !story.expect().isEmpty(),
                "expectations",
                "Expectations",
                CaveatSection.expectations(story.expect()));
        add(sections, !story.caveats().isEmpty(), "caveats", "Caveats", CaveatSection.caveats(story));
        if (several) {
            add(sections, true, "differences", "What differs", DifferenceSection.html(story));
            add(sections, true, "comparison", "Comparison", ComparisonSection.html(story));
        }
        add(sections, any && !story.overheads().isEmpty(), "overhead", "Overhead", QuantileSection.html(story));
        add(sections, !story.fits().isEmpty(), "fit", "Cost of a transaction", CostModelSection.html(story));
        add(sections, !story.capacities().isEmpty(), "search", "Search", SearchSection.html(story));
        add(sections, any && CatchUpSection.any(story), "catch-up", "Catching up", CatchUpSection.html(story));
        if (any) {
            add(sections, LoadCurveSection.any(story), "load", "Load curve", LoadCurveSection.html(story));
            add(sections, PaceChart.any(story), "pace", "The pace", PaceChart.html(story));
        }
        if (times) {
            add(sections, true, "time", "Over time", timelines.html());
        }
        if (any) {
            add(sections, true, "spectrum", "Spectrum", SpectrumSection.html(story));
            add(sections, true, "parts", "Parts of latency", LatencyPartsSection.html(story));
            add(sections, true, "ledger", "Ledger", LedgerSection.html(story));
            add(sections, true, "generator", "Our own generator", GeneratorSection.html(story));
        }
        add(sections, true, "configuration", "Configuration", ConfigurationSection.html(story));
        add(sections, true, "method", "Method", MethodSection.method());
        add(sections, true, "glossary", "Glossary", GlossaryLinks.glossary());
        add(sections, true, "reproduce", "Reproduce", MethodSection.reproduce(story));
        return sections;
    }

    private static void add(List<Page.Section> sections, boolean there, String id, String title, Html body) {
        if (there) {
            sections.add(new Page.Section(id, title, body));
        }
    }
}
