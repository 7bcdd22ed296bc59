package weir.report;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import weir.report.block.Block;
import weir.report.profile.FlamePages;
import weir.report.profile.ProfileSection;
import weir.results.value.RateKind;
import weir.results.value.TrialResult;

/**
 * A part of the report of a run. The page shows {@link #VERDICTS}, then {@link #EVIDENCE}; a terminal shows them the
 * other way round, so that the caveats are the last lines.
 *
 * @param applies whether a run has it
 * @param page its blocks on the page; what does not fit there is put on pages beside it
 * @param brief its blocks on a terminal; most have none there
 */
record Section(
        String id,
        String title,
        Predicate<RunView> applies,
        BiFunction<RunView, FlamePages, List<Block>> page,
        Function<RunView, List<Block>> brief) {
    private static final String TIME = "time";

    static final List<Section> VERDICTS = List.of(
            new Section(
                    "expectations",
                    "Expectations",
                    run -> !run.result().expect().isEmpty()
                            || !run.asked().unjudged().isEmpty(),
                    run -> CaveatSection.expectations(run),
                    CaveatSection::briefExpectations),
            new Section(
                    "caveats", "Caveats", run -> !run.result().caveats().isEmpty(), run -> CaveatSection.caveats(run)));

    static final List<Section> EVIDENCE = List.of(
            new Section("differences", "What differs", Section::several, ConfigurationSection::differences),
            new Section(
                    "comparison", "Comparison", Section::several, ComparisonSection::page, ComparisonSection::brief),
            new Section(
                    "overhead",
                    "Overhead",
                    run -> measured(run) && !run.result().overheads().isEmpty(),
                    QuantileSection::page,
                    QuantileSection::brief),
            new Section(
                    "fit",
                    "Cost of a transaction",
                    run -> !run.result().fits().isEmpty(),
                    ModelSection::costs,
                    ModelSection::briefCosts),
            new Section(
                    "scaling",
                    "Scaling",
                    run -> !run.result().scalings().isEmpty(),
                    ModelSection::scaling,
                    ModelSection::briefScaling),
            new Section(
                    "load", "Load curve", run -> measured(run) && LoadCurveSection.any(run), LoadCurveSection::page),
            new Section("pace", "The pace", run -> measured(run) && PaceSection.any(run), PaceSection::page),
            new Section("trials", "Every trial", run -> measured(run) && run.repeats(), LoadCurveSection::trials),
            new Section(
                    "tune", "Settings", run -> !run.found().tunings().isEmpty(), TuneSection::page, TuneSection::brief),
            new Section(
                    "partitions",
                    "Partitions",
                    run -> !run.found().partitions().isEmpty(),
                    SearchSection::partitions,
                    SearchSection::briefPartitions),
            new Section(
                    "search",
                    "Search",
                    run -> !run.capacities().isEmpty(),
                    SearchSection::capacities,
                    SearchSection::briefCapacities),
            new Section(
                    "catch-up",
                    "Catching up",
                    RunView::caughtUp,
                    DisturbanceSection::catchUp,
                    DisturbanceSection::briefCatchUp),
            new Section(
                    "disturbances",
                    "Disturbances",
                    run -> anyTrial(run, trial -> !trial.disturbances().isEmpty()),
                    DisturbanceSection::page,
                    DisturbanceSection::brief),
            new Section(
                    "rates",
                    "Rates",
                    run -> anyTrial(run, trial -> trial.figures().rate(RateKind.APPENDED) != null),
                    TrialTables::rates,
                    TrialTables::briefRates),
            new Section(
                    "hops",
                    "Where the time goes",
                    run -> anyTrial(run, trial -> !trial.hops().isEmpty()),
                    TrialTables::hops,
                    TrialTables::briefHops),
            new Section("processes", "Processes", run -> measured(run) && several(run), ProcessSection::page),
            new Section(
                    "cpu",
                    "CPU per record",
                    run -> anyTrial(run, ProcessSection::costs),
                    ProcessSection::cpu,
                    ProcessSection::briefCpu),
            new Section("profile", "Profile", ProfileSection::any, ProfileSection::page, ProfileSection::brief),
            new Section(TIME, "Over time", TimelineSection::any, run -> new TimelineSection(run).page()),
            new Section("spectrum", "Spectrum", Section::measured, SpectrumSection::page),
            new Section("parts", "Parts of latency", Section::measured, WaterfallSection::page),
            new Section("ledger", "Ledger", Section::measured, TrialTables::ledger),
            new Section(
                    "hosts",
                    "Hosts",
                    run -> measured(run) && !run.machine().hosts().isEmpty(),
                    ProcessSection::hosts,
                    ProcessSection::briefHosts),
            new Section(
                    "generator", "The generator", Section::measured, GeneratorSection::page, GeneratorSection::brief),
            new Section(
                    "configuration",
                    "Configuration",
                    run -> true,
                    ConfigurationSection::page,
                    EffectiveProperties::brief),
            new Section("method", "Method", run -> true, run -> ConfigurationSection.method()),
            new Section("reproduce", "Reproduce", run -> true, ConfigurationSection::reproduce));

    Section(
            String id,
            String title,
            Predicate<RunView> applies,
            Function<RunView, List<Block>> page,
            Function<RunView, List<Block>> brief) {
        this(id, title, applies, (run, pages) -> page.apply(run), brief);
    }

    Section(String id, String title, Predicate<RunView> applies, Function<RunView, List<Block>> page) {
        this(id, title, applies, page, run -> List.of());
    }

    boolean overTime() {
        return id.equals(TIME);
    }

    private static boolean several(RunView run) {
        return run.variants().size() > 1;
    }

    private static boolean measured(RunView run) {
        return !run.trials().isEmpty();
    }

    private static boolean anyTrial(RunView run, Predicate<TrialResult> has) {
        return run.results().stream().anyMatch(has);
    }
}
