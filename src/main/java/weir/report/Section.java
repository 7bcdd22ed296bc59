package weir.report;

import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weir.feature.Feature;
import weir.feature.Features;
import weir.report.block.Block;

/**
 * A part of the report of a run. A section without blocks is omitted. The page shows the sections in the order of
 * {@code place}; a terminal shows the expectations and the caveats last.
 *
 * @param place the place among the sections; a feature can choose a place between two built-in sections
 * @param page the blocks on the page; blocks that do not fit on the page are on separate pages
 * @param brief the blocks on a terminal; most sections have none
 */
public record Section(
        int place,
        String id,
        String title,
        BiFunction<RunView, SidePages, List<Block>> page,
        Function<RunView, List<Block>> brief)
        implements Feature.Part {
    static final String EXPECTATIONS = "expectations";
    static final String TIME = "time";

    private static final List<Section> OWN = List.of(
            new Section(
                    10, EXPECTATIONS, "Expectations", CaveatSection::expectations, CaveatSection::briefExpectations),
            new Section(20, "caveats", "Caveats", CaveatSection::caveats),
            new Section(30, "differences", "What differs", ConfigurationSection::differences),
            new Section(40, "comparison", "Comparison", ComparisonSection::page, ComparisonSection::brief),
            new Section(50, "overhead", "Overhead", QuantileSection::page, QuantileSection::brief),
            new Section(80, "load", "Load curve", LoadCurveSection::page),
            new Section(90, "pace", "The pace", PaceSection::page),
            new Section(100, "trials", "Every trial", LoadCurveSection::trials),
            new Section(130, "search", "Search", SearchSection::capacities, SearchSection::briefCapacities),
            new Section(140, "catch-up", "Catching up", DisturbanceSection::catchUp, DisturbanceSection::briefCatchUp),
            new Section(150, "disturbances", "Disturbances", DisturbanceSection::page, DisturbanceSection::brief),
            new Section(160, "rates", "Rates", TrialTables::rates, TrialTables::briefRates),
            new Section(180, "processes", "Processes", ProcessSection::page),
            new Section(190, "cpu", "CPU per record", ProcessSection::cpu, ProcessSection::briefCpu),
            new Section(210, TIME, "Over time", TimelineSection::page),
            new Section(220, "spectrum", "Spectrum", SpectrumSection::page),
            new Section(230, "parts", "Parts of latency", TrialTables::parts),
            new Section(240, "ledger", "Ledger", TrialTables::ledger),
            new Section(250, "hosts", "Hosts", ProcessSection::hosts, ProcessSection::briefHosts),
            new Section(260, "generator", "The generator", GeneratorSection::page, GeneratorSection::brief),
            new Section(270, "configuration", "Configuration", ConfigurationSection::page, ConfigurationSection::brief),
            new Section(280, "method", "Method", ConfigurationSection::method),
            new Section(290, "reproduce", "Reproduce", ConfigurationSection::reproduce));

    public Section(
            int place,
            String id,
            String title,
            Function<RunView, List<Block>> page,
            Function<RunView, List<Block>> brief) {
        this(place, id, title, (run, pages) -> page.apply(run), brief);
    }

    public Section(int place, String id, String title, Function<RunView, List<Block>> page) {
        this(place, id, title, page, run -> List.of());
    }

    static List<Section> all() {
        return Stream.concat(OWN.stream(), Features.each(Section.class).stream())
                .sorted(Comparator.comparingInt(Section::place))
                .toList();
    }

    List<Block> blocks(RunView run, SidePages pages) {
        return Stream.concat(
                        Features.each(SectionPart.class).stream()
                                .filter(part -> part.section().equals(id))
                                .flatMap(part -> part.page().apply(run).stream()),
                        page.apply(run, pages).stream())
                .toList();
    }

    /**
     * The blocks that a feature adds at the start of a section of the report.
     *
     * @param reads true for the source and the metric of a reading that the blocks show; charts over time omit the reading
     * @param brief lines for a terminal, after the lines of the section, if they fit
     */
    public record SectionPart(
            String section,
            BiPredicate<String, String> reads,
            Function<RunView, List<Block>> page,
            Function<RunView, List<Block>> brief)
            implements Feature.Part {}

    /**
     * A store of additional pages to which a report links.
     *
     * @param kept true if the pages are stored, so that links to them work
     * @param put makes and stores a page immediately; does nothing if pages are not stored
     * @param afterwards runs an act after the report that links to the pages is written; does nothing if pages are not
     *     stored
     */
    public record SidePages(boolean kept, BiConsumer<String, Supplier<String>> put, Consumer<Runnable> afterwards) {
        public static final SidePages NONE = new SidePages(false, (file, page) -> {}, act -> {});
    }
}
