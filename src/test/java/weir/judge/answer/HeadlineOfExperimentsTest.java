package weir.judge.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.Features;
import weir.feature.ModelKind;
import weir.feature.NeedsFeature;
import weir.feature.SearchKind;
import weir.judge.BreakingPoints;
import weir.judge.Capacities;
import weir.judge.Comparisons;
import weir.judge.trial.JudgedTrial;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.plan.Experiment;
import weir.plan.Golden;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.SyntheticRun;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.ResultJson;
import weir.results.RunResult;
import weir.results.RunResult.ModelResult;
import weir.results.TrialFolder;
import weir.results.Trials;
import weir.results.value.Attempt;
import weir.results.value.BreakingPointResult;
import weir.results.value.CapacityResult;
import weir.results.value.CatchUpResult;
import weir.results.value.ComparisonResult;
import weir.results.value.Conclusion;
import weir.results.value.DisturbanceResult;
import weir.results.value.ExpectResult;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;
import weir.results.value.LatencyResult;
import weir.results.value.OverheadResult;
import weir.results.value.RateKind;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchResult;
import weir.results.value.TrialResult;
import weir.results.value.TrialResult.DuringResult;

/**
 * The headlines of all experiments of the repository and of ten users' experiments. The figures are made up: variant n
 * is n times as slow as the first.
 */
class HeadlineOfExperimentsTest {
    /** An empty trial folder, which no test reads. */
    private static TrialFolder folder;

    private static final String GOLDEN = "src/test/resources/weir/judge/headlines.txt";

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("experiments", "src/test/resources/weir/judge/questions")) {
            try (Stream<Path> all = Files.list(Path.of(folder))) {
                all.filter(file -> file.toString().endsWith(".yaml")).sorted().forEach(files::add);
            }
        }
        return files;
    }

    @BeforeAll
    static void folder(@TempDir Path dir) {
        folder = new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000}, 3)
                .write()
                .trials()
                .get(0);
    }

    @Test
    @NeedsFeature
    void headlinesAnswerTheQuestionsOfTheirFiles() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file : files()) {
            Experiment experiment = PlanReader.read(file, Overrides.NONE);
            all.append("%s: %s\n  5 trials: %s\n  1 trial:  %s\n\n"
                    .formatted(
                            file.getFileName(),
                            experiment.question(),
                            new Made(experiment, 5, 0).headline(),
                            new Made(experiment, 1, 0).headline()));
        }
        Golden.assertSame(GOLDEN, all.toString());
    }

    @Test
    @NeedsFeature
    void noHeadlineHasMoreThanTwoSentencesAnd240Characters() throws IOException {
        for (Path file : files()) {
            Experiment experiment = PlanReader.read(file, Overrides.NONE);
            for (int repeats : List.of(1, 3, 5)) {
                for (int lost : List.of(0, 12)) {
                    Made made = new Made(experiment, repeats, lost);
                    String calm = made.headline();
                    String failed = made.headline(failed(experiment));
                    for (String headline : List.of(calm, failed)) {
                        assertThat(headline.length()).as(file + ": " + headline).isLessThanOrEqualTo(240);
                        assertThat(headline.split("\\.( |$)")).as(headline).hasSizeLessThanOrEqualTo(2);
                        assertThat(headline).doesNotContain("“”", "null", "NaN", "..", " .", ";.");
                    }
                    boolean said = calm.contains("12 lost") || calm.contains("acked records were lost");
                    assertThat(said).as(calm).isEqualTo(lost > 0 && !made.trials.isEmpty());
                    boolean ratioWithoutInterval = calm.matches(".*\\d×(?! \\[).*");
                    if (repeats == 1 && made.variants() > 1 && calm.contains("breaks at")) {
                        assertThat(calm).contains("one trial each");
                    }
                    if (repeats == 1 && made.variants() > 1 && ratioWithoutInterval) {
                        assertThat(calm).contains("no verdict, one trial each");
                    }
                }
            }
        }
    }

    private static ExpectResult[] failed(Experiment experiment) {
        return experiment.expectations().stream()
                .map(one -> new ExpectResult(
                        one.text(),
                        ExpectResult.FAILED,
                        1.0,
                        null,
                        null,
                        "1",
                        "a reason that takes half a line to say"))
                .toArray(ExpectResult[]::new);
    }

    /** A made-up run of an experiment. */
    private static final class Made {
        private final Experiment experiment;
        private final List<TrialResult> trials = new ArrayList<>();
        private final List<ComparisonResult> comparisons = new ArrayList<>();
        private final SearchResults found;
        private final TreeSet<String> disturbances = new TreeSet<>();

        Made(Experiment experiment, int repeats, int lost) {
            this.experiment = experiment;
            List<Variant> measured = experiment.variants().stream()
                    .filter(variant -> !experiment.onlySearched(variant))
                    .toList();
            measured.forEach(variant -> disturbances.addAll(names(variant)));
            for (int i = 0; i < measured.size(); i++) {
                for (int repeat = 1; repeat <= repeats; repeat++) {
                    trials.add(trial(measured.get(i), i, trials.size() + 1, repeat, i == 0 && repeat == 1 ? lost : 0));
                }
            }
            found = new SearchResults(experiment.searches().stream()
                    .flatMap(search -> experiment.variants().stream()
                            .filter(variant -> of(search, variant))
                            .flatMap(variant -> answer(search, variant)))
                    .toList());
            comparisons.addAll(Comparisons.of(
                    experiment.comparisons(),
                    measured.stream().map(Variant::name).toList(),
                    trials));
            comparisons.addAll(Capacities.compared(experiment.comparisons(), found.capacities()));
        }

        long variants() {
            return trials.stream().map(TrialResult::variant).distinct().count();
        }

        String headline(ExpectResult... expect) {
            RunResult run = RecordKeys.with(
                    RunResult.NONE,
                    Map.of(
                            "trials", trials,
                            "expect", List.of(expect),
                            "comparisons", comparisons,
                            "overheads", overheads(),
                            "models", models(),
                            "conclusion", Conclusion.of(breakingPoints(), found)));
            return Conclusions.of(new RunFindings(
                            RequestedExperiment.of(experiment.with(v -> v.named(v.name(), 0, "")), "", ""),
                            new Machine(Map.of(), Map.of(), List.of()),
                            run))
                    .answer();
        }

        private Map<String, List<? extends ModelResult>> models() {
            List<JudgedTrial> judged = trials.stream()
                    // Without steps, the code looks for no probe reading in the folder.
                    .map(trial ->
                            new JudgedTrial(folder, RecordKeys.with(trial, Map.of("steps", List.of())), List.of()))
                    .toList();
            Map<String, List<? extends ModelResult>> models = new HashMap<>();
            Features.each(ModelKind.class).forEach(kind -> models.putAll(kind.fitted(experiment.models(), judged)));
            return models;
        }

        private List<OverheadResult> overheads() {
            return comparisons.stream()
                    .filter(one -> one.metric().equals("response p50") && one.ratio() != null)
                    .filter(one -> trials.stream()
                            .anyMatch(trial -> trial.variant().equals(one.a())
                                    && trial.settings().containsKey("load.transaction")))
                    .map(CostOfAtomicityTest::overhead)
                    .toList();
        }

        private List<BreakingPointResult> breakingPoints() {
            return experiment.searches().stream()
                    .filter(SearchSpec.BreakingPoint.class::isInstance)
                    .flatMap(search -> ((SearchSpec.BreakingPoint) search).asked(experiment).stream())
                    .map(variant -> BreakingPoints.of(variant.name(), List.of(), trials))
                    .toList();
        }

        private static boolean of(SearchSpec search, Variant variant) {
            return search.of().isEmpty()
                    || search.of().equals(Experiment.EACH)
                    || search.of().equals(variant.name());
        }

        private static SearchResult stored(SearchKind kind, Variant variant) {
            Path file = Path.of("src/test/resources/weir/feature", kind.name(), "answer.json");
            SearchResult answer = ResultJson.read(file, kind.found());
            return RecordKeys.with(answer, Map.of("of", variant.name()));
        }

        private Stream<SearchResult> answer(SearchSpec search, Variant variant) {
            double rate = 10_000 * (1 + experiment.variants().indexOf(variant));
            CapacityResult capacity = new CapacityResult(
                    variant.name(),
                    List.of("response p99 < 100ms"),
                    rate,
                    rate * 0.98,
                    rate * 1.02,
                    "at " + (long) (rate * 1.05) + "/s response p99 was 140 ms",
                    List.of(new Attempt(1, rate, 5, Attempt.Outcome.SUSTAINED, "")));
            for (SearchKind kind : Features.each(SearchKind.class)) {
                if (kind.asked().isInstance(search)) {
                    return Stream.of(stored(kind, variant));
                }
            }
            return search instanceof SearchSpec.Capacity ? Stream.of(capacity) : Stream.of();
        }

        private static Set<String> names(Variant variant) {
            Set<String> names = new TreeSet<>();
            variant.values().keySet().stream()
                    .filter(path -> path.startsWith("during."))
                    .forEach(path -> names.add(path.split("\\.", -1)[1]));
            return names;
        }

        private TrialResult trial(Variant variant, int index, int number, int repeat, long lost) {
            SortedMap<String, String> settings = new TreeMap<>(variant.values());
            double slow = (1 + index) * (1 + 0.02 * repeat);
            boolean steps = settings.keySet().stream().anyMatch(path -> path.startsWith("load.rate.steps"));
            String rate = settings.getOrDefault("load.rate", "max");
            boolean closed = !steps && (rate.equals("max") || rate.equals("one at a time"));
            boolean reads = "consume".equals(settings.get("load.workload"));
            double[][] curve = {{1000, 1000, 4 * slow}, {2000, 2000, 5 * slow}, {3000, 2500, 900}};
            TrialResult plain = steps
                    ? settings.containsKey("bridge.path")
                            ? Trials.delivered(variant.name(), repeat, curve, 60)
                            : Trials.stepped(variant.name(), repeat, curve)
                    : closed
                            ? Trials.max(variant.name(), repeat, 40_000 / slow, 12 * slow)
                            : Trials.stepped(variant.name(), repeat, new double[][] {{1000, 1000, 4 * slow}});
            Figures f = plain.figures();
            Map<Count, Long> counts = new TreeMap<>(f.counts());
            counts.put(Count.LOST, lost);
            Map<RateKind, Double> rates = new TreeMap<>(f.rates());
            if (reads) {
                rates.remove(RateKind.ACKED);
                rates.put(RateKind.RECEIVED, 40_000 / slow);
            }
            Figures figures = new Figures(
                    counts,
                    rates,
                    reads ? Map.of() : Map.of(LatencyKind.RESPONSE, f.response(), LatencyKind.E2E, response(20 * slow)),
                    new LagResult(7_531L, 0L, 7.0),
                    null);
            List<DisturbanceResult> own = names(variant).stream()
                    .map(name -> new DisturbanceResult(
                            name,
                            "four threads that write to 98 % of the free memory and 10 GiB to the disk, again and again,"
                                    + " limited to 2 GiB and 50 MiB/s",
                            10,
                            20.0,
                            settings.keySet().stream().anyMatch(path -> path.matches(".*\\.(kill|stop|pause)")) ? 7 : 0,
                            true,
                            4.0,
                            null,
                            null,
                            null,
                            null))
                    .toList();
            List<DuringResult> during = disturbances.stream()
                    .map(name -> Trials.during(
                            name,
                            response((names(variant).contains(name) ? 80.0 / (1 + index) : 10) * (1 + 0.02 * repeat))))
                    .toList();
            TrialResult trial = RecordKeys.with(
                    plain,
                    Map.of(
                            "trial", number,
                            "settings", settings,
                            "figures", figures,
                            "disturbances", own,
                            "during", during));
            CatchUpResult catchUp = catchUp(settings, slow);
            return catchUp == null ? trial : RecordKeys.with(trial, Map.of("catchUp", catchUp));
        }

        private static @Nullable CatchUpResult catchUp(SortedMap<String, String> settings, double slow) {
            return "deliver".equals(settings.get("load.workload")) && settings.containsKey("load.backlog.size")
                    ? new CatchUpResult(
                            2_000_000,
                            2048.0,
                            true,
                            14 * slow,
                            null,
                            1_100_000.0,
                            1074.0,
                            0L,
                            response(6),
                            response(48 * slow),
                            response(5))
                    : null;
        }

        private static LatencyResult response(double p99) {
            return new LatencyResult(p99 / 2, p99 / 1.5, p99, p99 * 2, p99 * 3, p99 * 4, p99 / 2, 10_000, null, null);
        }
    }
}
