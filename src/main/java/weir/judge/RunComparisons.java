package weir.judge;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.plan.CompareSpec;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.Machine;
import weir.results.RequestedExperiment;
import weir.results.RunComparison;
import weir.results.RunComparison.Apart;
import weir.results.RunComparison.Difference;
import weir.results.RunComparison.Gate;
import weir.results.RunComparison.Side;
import weir.results.RunFolder;
import weir.results.RunState;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * A comparison of stored runs with the first run, for variants of the same name. Runs with different {@link
 * ComparisonKey}s have no ratio. Differences between versions and settings come before the figures.
 */
public final class RunComparisons {
    private static final int MOST_RUNS = 10;

    private RunComparisons() {}

    private record Run(
            RunFolder folder,
            List<TrialResult> trials,
            Side side,
            Machine machine,
            RequestedExperiment asked,
            Map<String, RequestedExperiment.Variant> variants) {
        static Run of(RunFolder folder, String label, boolean single) {
            List<TrialResult> trials = finished(folder);
            RequestedExperiment asked = folder.asked();
            Map<String, RequestedExperiment.Variant> variants = new LinkedHashMap<>();
            asked.variants().stream()
                    .filter(variant -> TrialResult.variants(trials).contains(variant.name()))
                    .forEach(variant -> variants.put(single ? "" : variant.name(), variant));
            Machine machine = folder.machine();
            String fact = machine.facts().getOrDefault("kafka", RunDifferences.UNKNOWN);
            Side side = new Side(
                    label,
                    folder.path().toString(),
                    folder.name(),
                    folder.result()
                            .map(result -> result.state(asked))
                            .orElse(RunState.UNFINISHED)
                            .word(),
                    trials.size(),
                    trials.get(0).startedAt(),
                    variants.values().stream()
                            .map(variant -> variant.values().getOrDefault("cluster.kafka", fact))
                            .distinct()
                            .collect(Collectors.joining(", ")));
            return new Run(folder, trials, side, machine, asked, variants);
        }

        RequestedExperiment.Variant variant(String name) {
            return Objects.requireNonNull(variants.get(name));
        }

        String differs(String name, Run other, String own, String others) {
            ComparisonKey key = ComparisonKey.of(asked, variant(name), machine);
            return key.differences(ComparisonKey.of(other.asked, other.variant(name), other.machine)).stream()
                    .map(difference -> difference.text(own, others))
                    .collect(Collectors.joining("; "));
        }

        String named(String variant) {
            return side.label() + (variant.isEmpty() ? "" : " " + variant);
        }

        Stream<TrialResult> trials(String variant) {
            return TrialResult.ofVariant(variant(variant).name(), trials).stream()
                    .map(trial -> trial.of(named(variant)));
        }
    }

    /**
     * Compares the runs, and decides whether a figure is worse by more than {@code tolerance}.
     *
     * @param tolerance as a share; NaN for no gate
     * @param strict whether a suspect or unfinished run counts as invalid
     * @param anyway whether runs with different comparison keys are shown without ratios instead of refused
     * @throws IncomparableRunsException if the runs have different comparison keys
     */
    public static RunComparison of(List<RunFolder> folders, double tolerance, boolean strict, boolean anyway) {
        check(folders);
        List<Run> runs = runs(folders);
        List<Side> sides = runs.stream().map(Run::side).toList();
        List<Difference> differences = RunDifferences.of(runs.stream()
                .map(run ->
                        new RunDifferences.ComparedRun(run.machine, run.asked.weir(), run.side.kafka(), run.variants))
                .toList());
        List<ComparisonResult> comparisons = new ArrayList<>();
        List<Apart> apart = new ArrayList<>();
        for (Run run : runs.subList(1, runs.size())) {
            compare(runs.get(0), run, anyway, comparisons, apart);
        }
        @Nullable Gate gate =
                Double.isNaN(tolerance) ? null : Tolerance.gate(tolerance, comparisons, blinding(sides, apart, strict));
        // An invalid run proves as little as a blind gate.
        GateOutcome outcome =
                sides.stream().anyMatch(side -> strict ? !is(side, RunState.VALID) : is(side, RunState.INVALID))
                        ? GateOutcome.BLIND
                        : gate == null ? GateOutcome.OPEN : gate.outcome();
        return new RunComparison(
                RunComparison.VERSION,
                sides,
                differences,
                Stream.of(imported(runs), doubts(sides, differences))
                        .flatMap(List::stream)
                        .toList(),
                comparisons,
                apart,
                gate,
                outcome.exit());
    }

    private static List<TrialResult> finished(RunFolder folder) {
        return folder.trials().stream()
                .filter(TrialFolder::finished)
                .map(TrialFolder::result)
                .toList();
    }

    private static void check(List<RunFolder> folders) {
        if (folders.size() < 2 || folders.size() > MOST_RUNS) {
            throw new IncomparableRunsException(
                    "a comparison takes 2 to " + MOST_RUNS + " runs; the first is the base");
        }
        Set<Path> known = new HashSet<>();
        for (RunFolder folder : folders) {
            if (!known.add(folder.path().toAbsolutePath().normalize())) {
                throw new IncomparableRunsException(folder.path()
                        + " is given twice; to measure the noise of one experiment, run: weir run --a-a FILE");
            }
            if (folder.trials().stream().noneMatch(TrialFolder::finished)) {
                throw new IncomparableRunsException(folder.path() + " has no finished trial, so it cannot be compared");
            }
        }
    }

    private static List<Run> runs(List<RunFolder> folders) {
        boolean single = folders.stream()
                .allMatch(folder -> TrialResult.variants(finished(folder)).size() == 1);
        List<Run> runs = new ArrayList<>();
        for (RunFolder folder : folders) {
            Run run = Run.of(folder, String.valueOf((char) ('A' + runs.size())), single);
            runs.add(run);
            if (run.variants().keySet().stream().noneMatch(runs.get(0).variants()::containsKey)) {
                throw new IncomparableRunsException(String.format(
                        "%s has the variants %s and %s has %s; a comparison requires a common variant",
                        folders.get(0).path(),
                        String.join(", ", runs.get(0).variants().keySet()),
                        folder.path(),
                        String.join(", ", run.variants().keySet())));
            }
        }
        return runs;
    }

    private static void compare(
            Run first, Run run, boolean anyway, List<ComparisonResult> comparisons, List<Apart> apart) {
        for (String name : run.variants().keySet()) {
            if (first.variants().containsKey(name)) {
                String a = run.named(name);
                String b = first.named(name);
                String differs = first.differs(name, run, b, a);
                if (!differs.isEmpty() && !anyway) {
                    throw new IncomparableRunsException(String.format(
                            "%s and %s cannot be compared: %s%s; --anyway shows their figures without a ratio",
                            first.folder().path(),
                            run.folder().path(),
                            name.isEmpty() ? "" : name + ": ",
                            first.differs(name, run, "one", "the other")));
                }
                List<ComparisonResult> results = Comparisons.of(
                        List.of(new CompareSpec.Over(a, b)),
                        List.of(b, a),
                        Stream.concat(first.trials(name), run.trials(name)).toList());
                if (differs.isEmpty()) {
                    comparisons.addAll(results);
                } else {
                    List<ComparisonResult> figures = results.stream()
                            .map(result -> result.apart(Comparisons.NO_VERDICT))
                            .toList();
                    apart.add(new Apart(a, b, differs, figures));
                }
            }
        }
    }

    /** The doubts about a comparison with imported runs. */
    private static List<String> imported(List<Run> runs) {
        List<String> doubts = new ArrayList<>();
        for (Run run : runs) {
            String tool = run.machine().tool();
            if (!tool.isEmpty()) {
                doubts.add(run.side().label() + " is a result of " + tool
                        + ", which does not report all settings. So the runs may have had different loads.");
            }
        }
        runs.stream()
                .filter(run -> !doubts.isEmpty())
                .filter(run ->
                        run.trials().stream().anyMatch(trial -> trial.steps().size() > 1))
                .forEach(run -> doubts.add(run.side().label() + " has steps with different rates, and each figure below"
                        + " is of all its steps together. Compare with a run at one rate."));
        return doubts;
    }

    private static List<String> doubts(List<Side> sides, List<Difference> differences) {
        List<String> doubts = new ArrayList<>(unfit(sides));
        sides.stream().filter(side -> is(side, RunState.SUSPECT)).forEach(side -> doubts.add(suspect(side)));
        if (differences.stream().anyMatch(difference -> difference.kind() == Difference.Kind.KAFKA)) {
            doubts.add("The runs had different versions of Kafka ("
                    + String.join(", ", sides.stream().map(Side::kafka).toList())
                    + "): the versions and all other differences may be causes of a difference.");
        }
        if (differences.stream().anyMatch(difference -> difference.name().equals("weir"))) {
            doubts.add("Different versions of Weir measured the runs; the changelog of Weir lists changes that affect"
                    + " results.");
        }
        doubts.add("The runs were not interleaved (" + timeApart(sides)
                + "): a change of the machine between the runs looks like a difference. Two variants in one experiment"
                + " give a stronger proof.");
        return doubts;
    }

    private static boolean is(Side side, RunState state) {
        return side.state().equals(state.word());
    }

    private static String suspect(Side side) {
        return side.label() + " is suspect: the report of this run lists the caveats.";
    }

    private static List<String> unfit(List<Side> sides) {
        List<String> unfit = new ArrayList<>();
        for (Side side : sides) {
            if (is(side, RunState.INVALID)) {
                unfit.add(side.label() + " is invalid; the report of this run gives the reasons.");
            } else if (is(side, RunState.UNFINISHED)) {
                unfit.add(side.label() + " is unfinished: only its " + side.trials()
                        + " finished trials count; --resume runs the remaining trials.");
            }
        }
        return unfit;
    }

    private static List<String> blinding(List<Side> sides, List<Apart> apart, boolean strict) {
        List<String> blinding = new ArrayList<>(unfit(sides));
        sides.stream()
                .filter(side -> strict && is(side, RunState.SUSPECT))
                .forEach(side -> blinding.add(suspect(side)));
        apart.forEach(pair -> blinding.add(pair.text()));
        return blinding;
    }

    private static String timeApart(List<Side> sides) {
        if (sides.stream().anyMatch(side -> side.startedAt().isEmpty())) {
            return "the time of a run is unknown";
        }
        try {
            List<Instant> starts = sides.stream()
                    .map(side -> Instant.parse(side.startedAt()))
                    .sorted()
                    .toList();
            Duration apart = Duration.between(starts.get(0), starts.get(starts.size() - 1));
            return NumberFormat.seconds((double) apart.toSeconds()) + " apart";
        } catch (DateTimeParseException e) {
            throw new UnreadableRunException(
                    "a trial began at '" + e.getParsedString() + "', which is not a time; its trial.json was edited");
        }
    }

    /**
     * The check of comparisons against the tolerated share. A regression is an interval that is worse as a whole, or a
     * first loss, failure or duplicate. The check is blind if the trials could not detect a change of the tolerated
     * size.
     */
    record Tolerance(double tolerance, List<String> worse, List<String> unseen) {
        static Gate gate(double tolerance, List<ComparisonResult> comparisons, List<String> blind) {
            Tolerance gate = new Tolerance(tolerance, new ArrayList<>(), new ArrayList<>(blind));
            String pair = "";
            for (ComparisonResult c : comparisons) {
                boolean primary = !c.pair().equals(pair);
                pair = c.pair();
                gate.judge(c, primary);
            }
            List<String> why = new ArrayList<>(gate.worse);
            why.addAll(gate.unseen);
            GateOutcome outcome = gate.unseen.isEmpty()
                    ? gate.worse.isEmpty() ? GateOutcome.OPEN : GateOutcome.REGRESSION
                    : GateOutcome.BLIND;
            return new Gate(tolerance, outcome, why);
        }

        private void judge(ComparisonResult c, boolean primary) {
            boolean judged = !c.verdict().equals(Comparisons.NO_VERDICT);
            String what = c.pair() + ", " + c.metric() + ": " + c.text();
            if (judged && c.verdict().equals(Comparisons.WORSE) && (c.ratio() == null || beyond(c))) {
                worse.add(what + ", worse" + (c.ratio() == null ? "" : " by more than " + percent()));
            }
            if (primary && (!judged || c.ratio() == null)) {
                unseen.add(what + ": no verdict; a verdict requires at least " + Comparisons.ENOUGH + " repeats on both"
                        + " sides, and finished messages");
            } else if (primary && visible(c) > tolerance) {
                unseen.add(c.pair() + ", " + c.metric() + ": the smallest visible difference is"
                        + " " + NumberFormat.change(c.visible()) + ", and the tolerance is " + percent() + ";"
                        + " repeat more often or measure longer");
            }
        }

        private boolean beyond(ComparisonResult c) {
            return Comparisons.moreIsBetter(c.metric())
                    ? Objects.requireNonNull(c.high()) < 1 - tolerance
                    : Objects.requireNonNull(c.low()) > 1 + tolerance;
        }

        private static double visible(ComparisonResult c) {
            double ratio = Objects.requireNonNull(c.visible());
            return Comparisons.moreIsBetter(c.metric()) ? 1 - 1 / ratio : ratio - 1;
        }

        private String percent() {
            return NumberFormat.threeDigits(tolerance * 100) + " %";
        }
    }
}
