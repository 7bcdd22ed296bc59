package weir.report;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import weir.report.chart.Html;
import weir.report.fit.ScalingSection;
import weir.report.process.CpuSection;
import weir.report.process.ProcessSection;
import weir.report.profile.FlamePages;
import weir.report.profile.ProfileSection;
import weir.report.search.PartitionsSection;
import weir.report.search.SearchSection;
import weir.report.search.TuneSection;

/**
 * A part of the report of a run. The page shows {@link #VERDICTS}, then {@link #EVIDENCE}; a terminal the other way round,
 * so that what weakens the figures stands where the eye is.
 *
 * @param applies whether a run has it
 * @param html how it looks on the page; what does not fit there is put on pages beside it
 * @param lines how it looks on a terminal; most add nothing there
 */
record Section(
        String id,
        String title,
        Predicate<RunView> applies,
        BiFunction<RunView, FlamePages, Html> html,
        BiConsumer<RunView, TextLines> lines) {
    private static final String TIME = "time";

    static final List<Section> VERDICTS = List.of(
            new Section(
                    "expectations",
                    "Expectations",
                    run -> !run.expect().isEmpty() || !run.asked().unjudged().isEmpty(),
                    run -> CaveatSection.expectations(run.expect(), run.asked().unjudged()),
                    CaveatSection::expectations),
            new Section(
                    "caveats",
                    "Caveats",
                    run -> !run.caveats().isEmpty(),
                    run -> CaveatSection.caveats(run),
                    CaveatSection::caveats));

    static final List<Section> EVIDENCE = List.of(
            new Section("differences", "What differs", Section::several, DifferenceSection::html),
            new Section(
                    "comparison", "Comparison", Section::several, ComparisonSection::html, ComparisonSection::lines),
            new Section(
                    "overhead",
                    "Overhead",
                    run -> measured(run) && !run.overheads().isEmpty(),
                    QuantileSection::html,
                    QuantileSection::lines),
            new Section(
                    "fit",
                    "Cost of a transaction",
                    run -> !run.fits().isEmpty(),
                    CostModelSection::html,
                    CostModelSection::lines),
            new Section(
                    "scaling",
                    "Scaling",
                    run -> !run.scalings().isEmpty(),
                    ScalingSection::html,
                    ScalingSection::lines),
            new Section(
                    "load", "Load curve", run -> measured(run) && LoadCurveSection.any(run), LoadCurveSection::html),
            new Section("pace", "The pace", run -> measured(run) && PaceSection.any(run), PaceSection::html),
            new Section("trials", "Every trial", run -> measured(run) && run.repeats(), StepSection::trials),
            new Section(
                    "tune", "Settings", run -> !run.found().tunings().isEmpty(), TuneSection::html, TuneSection::lines),
            new Section(
                    "partitions",
                    "Partitions",
                    run -> !run.found().partitions().isEmpty(),
                    PartitionsSection::html,
                    PartitionsSection::lines),
            new Section(
                    "search", "Search", run -> !run.capacities().isEmpty(), SearchSection::html, SearchSection::lines),
            new Section(
                    "catch-up",
                    "Catching up",
                    run -> measured(run) && CatchUpSection.any(run),
                    CatchUpSection::html,
                    CatchUpSection::lines),
            new Section(
                    "disturbances",
                    "Disturbances",
                    run -> measured(run) && DisturbanceSection.any(run),
                    DisturbanceSection::html,
                    DisturbanceSection::lines),
            new Section(
                    "rates",
                    "Rates",
                    run -> measured(run) && RateSection.any(run),
                    RateSection::html,
                    RateSection::lines),
            new Section(
                    "hops",
                    "Where the time goes",
                    run -> measured(run) && HopSection.any(run),
                    HopSection::html,
                    HopSection::lines),
            new Section(
                    "processes", "Processes", run -> measured(run) && ProcessSection.any(run), ProcessSection::html),
            new Section(
                    "cpu",
                    "CPU per record",
                    run -> measured(run) && CpuSection.any(run),
                    CpuSection::html,
                    CpuSection::lines),
            new Section("profile", "Profile", ProfileSection::any, ProfileSection::html, ProfileSection::lines),
            new Section(TIME, "Over time", TimelineSection::any, run -> new TimelineSection(run).html()),
            new Section("spectrum", "Spectrum", Section::measured, SpectrumSection::html),
            new Section("parts", "Parts of latency", Section::measured, LatencyPartsSection::html),
            new Section("ledger", "Ledger", Section::measured, LedgerSection::html),
            new Section(
                    "hosts",
                    "Hosts",
                    run -> measured(run) && HostSection.any(run),
                    HostSection::html,
                    HostSection::lines),
            new Section(
                    "generator", "The generator", Section::measured, GeneratorSection::html, GeneratorSection::lines),
            new Section(
                    "configuration",
                    "Configuration",
                    run -> true,
                    ConfigurationSection::html,
                    EffectiveProperties::lines),
            new Section("method", "Method", run -> true, run -> MethodSection.method()),
            new Section("reproduce", "Reproduce", run -> true, MethodSection::reproduce));

    Section(
            String id,
            String title,
            Predicate<RunView> applies,
            Function<RunView, Html> html,
            BiConsumer<RunView, TextLines> lines) {
        this(id, title, applies, (run, pages) -> html.apply(run), lines);
    }

    Section(String id, String title, Predicate<RunView> applies, Function<RunView, Html> html) {
        this(id, title, applies, html, (run, lines) -> {});
    }

    /** True of the part that shows trials second by second. */
    boolean overTime() {
        return id.equals(TIME);
    }

    private static boolean several(RunView run) {
        return run.variants().size() > 1;
    }

    private static boolean measured(RunView run) {
        return !run.trials().isEmpty();
    }
}
