package weir.judge;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import weir.plan.CompareSpec;
import weir.results.GateOutcome;
import weir.results.IncomparableRunsException;
import weir.results.RequestedExperiment;
import weir.results.RunComparison;
import weir.results.RunComparison.Difference;
import weir.results.RunComparison.Gate;
import weir.results.RunComparison.Side;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.RunState;
import weir.results.TrialFolder;
import weir.results.UnreadableRunException;
import weir.results.value.ComparisonResult;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * Compares stored runs with the first of them, matching variants by name. Runs with different workloads or rates are
 * refused; different machines and versions are compared, and reported first.
 */
public final class RunComparisons {
    private static final int MOST_RUNS = 10;

    private static final List<String> QUESTION = List.of("load.workload", "load.rate", "load.target");

    private final List<RunFolder> folders;
    private final List<List<TrialResult>> trials;
    private final List<Optional<RunResult>> results;
    private final List<Map<String, RequestedExperiment.Variant>> variants = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();

    private RunComparisons(List<RunFolder> folders) {
        this.folders = List.copyOf(folders);
        trials = folders.stream().map(RunComparisons::finished).toList();
        results = folders.stream().map(RunFolder::result).toList();
    }

    /**
     * Compares without a gate.
     *
     * @throws IncomparableRunsException when they answer different questions
     */
    public static RunComparison of(List<RunFolder> runs) {
        return of(runs, Double.NaN, false);
    }

    /**
     * Compares, and decides whether anything got worse by more than {@code tolerance}.
     *
     * @param tolerance NaN for no gate
     * @param strict whether a suspect or unfinished run counts as invalid
     */
    public static RunComparison of(List<RunFolder> runs, double tolerance, boolean strict) {
        return new RunComparisons(runs).compared(tolerance, strict);
    }

    private static List<TrialResult> finished(RunFolder folder) {
        return folder.trials().stream()
                .filter(TrialFolder::finished)
                .map(TrialFolder::result)
                .toList();
    }

    private RunComparison compared(double tolerance, boolean strict) {
        checkRuns();
        shareNames();
        checkQuestion();
        List<Side> sides = sides();
        List<Difference> differences = RunDifferences.of(
                folders.stream().map(RunFolder::machine).toList(),
                folders.stream().map(folder -> folder.asked().weir()).toList(),
                variants,
                sides.stream().map(Side::kafka).toList());
        List<ComparisonResult> comparisons = comparisons();
        boolean invalid =
                sides.stream().anyMatch(side -> strict ? !is(side, RunState.VALID) : is(side, RunState.INVALID));
        doubts(sides, differences);
        // An invalid run shows as little as a blind gate.
        GateOutcome shown = invalid ? GateOutcome.BLIND : GateOutcome.OPEN;
        if (Double.isNaN(tolerance)) {
            return new RunComparison(
                    RunComparison.VERSION, sides, differences, doubts, comparisons, null, shown.exit());
        }
        Gate gate = Tolerance.gate(tolerance, comparisons, blinding(sides, differences, strict));
        int exit = (invalid ? shown : gate.outcome()).exit();
        return new RunComparison(RunComparison.VERSION, sides, differences, doubts, comparisons, gate, exit);
    }

    private void checkRuns() {
        if (folders.size() < 2 || folders.size() > MOST_RUNS) {
            throw new IncomparableRunsException("a comparison takes 2 to " + MOST_RUNS
                    + " runs, the first being what the others are compared with");
        }
        for (int i = 0; i < folders.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (folders.get(i)
                        .path()
                        .toAbsolutePath()
                        .normalize()
                        .equals(folders.get(j).path().toAbsolutePath().normalize())) {
                    throw new IncomparableRunsException(folders.get(i).path()
                            + " is given twice; for the noise of one experiment there is: weir run --a-a FILE");
                }
            }
            if (trials.get(i).isEmpty()) {
                throw new IncomparableRunsException(folders.get(i).path() + " has no finished trial to compare");
            }
        }
    }

    private void shareNames() {
        List<List<RequestedExperiment.Variant>> ran = new ArrayList<>();
        for (int i = 0; i < folders.size(); i++) {
            List<TrialResult> own = trials.get(i);
            ran.add(folders.get(i).asked().variants().stream()
                    .filter(variant ->
                            own.stream().anyMatch(trial -> trial.variant().equals(variant.name())))
                    .toList());
        }
        boolean single = ran.stream().allMatch(list -> list.size() == 1);
        for (List<RequestedExperiment.Variant> list : ran) {
            Map<String, RequestedExperiment.Variant> named = new LinkedHashMap<>();
            list.forEach(variant -> named.put(single ? "" : variant.name(), variant));
            variants.add(named);
        }
        for (int i = 1; i < folders.size(); i++) {
            if (variants.get(i).keySet().stream().noneMatch(variants.get(0)::containsKey)) {
                throw new IncomparableRunsException(String.format(
                        "%s has the variants %s and %s has %s: none is in both, so nothing can be compared",
                        folders.get(0).path(),
                        String.join(", ", variants.get(0).keySet()),
                        folders.get(i).path(),
                        String.join(", ", variants.get(i).keySet())));
            }
        }
    }

    private void checkQuestion() {
        variants.get(0).forEach((name, first) -> {
            for (int i = 1; i < folders.size(); i++) {
                RequestedExperiment.Variant other = variants.get(i).get(name);
                if (other == null) {
                    continue;
                }
                Map<String, String> here = question(first);
                Map<String, String> there = question(other);
                for (Map.Entry<String, String> asked : here.entrySet()) {
                    String value = there.getOrDefault(asked.getKey(), NumberFormat.MISSING);
                    if (!value.equals(asked.getValue())) {
                        throw new IncomparableRunsException(String.format(
                                "%s and %s cannot be compared: %s%s is '%s' in one and '%s' in the other, so their "
                                        + "figures do not mean the same",
                                folders.get(0).path(),
                                folders.get(i).path(),
                                name.isEmpty() ? "" : name + ": ",
                                asked.getKey(),
                                asked.getValue(),
                                value));
                    }
                }
            }
        });
    }

    /** The settings that define a run's question: runs that differ in them cannot be compared. */
    public static Map<String, String> question(RequestedExperiment.Variant variant) {
        Map<String, String> question = new LinkedHashMap<>();
        for (String path : QUESTION) {
            List<String> values = new ArrayList<>();
            variant.values().forEach((name, value) -> {
                if (name.equals(path) || name.startsWith(path + ".")) {
                    values.add(name.substring(path.length()) + (name.equals(path) ? "" : ": ") + value);
                }
            });
            question.put(path, String.join(", ", values));
        }
        return question;
    }

    private List<Side> sides() {
        List<Side> sides = new ArrayList<>();
        for (int i = 0; i < folders.size(); i++) {
            RunFolder folder = folders.get(i);
            String state = results.get(i)
                    .map(result -> result.state(folder.asked()))
                    .orElse(RunState.UNFINISHED)
                    .word();
            String fact = folder.machine().facts().getOrDefault("kafka", "unknown");
            List<String> kafka = variants.get(i).values().stream()
                    .map(variant -> variant.values().getOrDefault("cluster.kafka", fact))
                    .distinct()
                    .toList();
            sides.add(new Side(
                    label(i),
                    folder.path().toString(),
                    folder.name(),
                    state,
                    trials.get(i).size(),
                    trials.get(i).get(0).startedAt(),
                    String.join(", ", kafka)));
        }
        return sides;
    }

    private static String label(int run) {
        return String.valueOf((char) ('A' + run));
    }

    private List<ComparisonResult> comparisons() {
        List<ComparisonResult> comparisons = new ArrayList<>();
        for (int i = 1; i < folders.size(); i++) {
            for (String name : variants.get(i).keySet()) {
                if (variants.get(0).containsKey(name)) {
                    String a = label(i) + (name.isEmpty() ? "" : " " + name);
                    String b = label(0) + (name.isEmpty() ? "" : " " + name);
                    List<TrialResult> both = new ArrayList<>(named(0, name, b));
                    both.addAll(named(i, name, a));
                    comparisons.addAll(Comparisons.of(List.of(new CompareSpec.Over(a, b)), List.of(b, a), both));
                }
            }
        }
        return comparisons;
    }

    private List<TrialResult> named(int run, String variant, String label) {
        String name = Objects.requireNonNull(variants.get(run).get(variant)).name();
        return trials.get(run).stream()
                .filter(trial -> trial.variant().equals(name))
                .map(trial -> trial.of(label))
                .toList();
    }

    private void doubts(List<Side> sides, List<Difference> differences) {
        doubts.addAll(unfit(sides));
        sides.stream().filter(side -> is(side, RunState.SUSPECT)).forEach(side -> doubts.add(suspect(side)));
        String machine = names(differences, Difference.Kind.MACHINE);
        if (!machine.isEmpty()) {
            doubts.add("They ran on different machines (" + machine
                    + "): what differs below may be the machine's doing, and nothing here tells it apart.");
        }
        if (!names(differences, Difference.Kind.KAFKA).isEmpty()) {
            doubts.add("They ran different versions of Kafka ("
                    + String.join(", ", sides.stream().map(Side::kafka).toList())
                    + "): a difference is that of the versions and of whatever else differs.");
        }
        if (differences.stream().anyMatch(difference -> difference.name().equals("weir"))) {
            doubts.add("They were measured by different versions of Weir; its changelog says what can change results.");
        }
        doubts.add("They were not interleaved (" + apart(sides)
                + "): whatever changed on the machine in between counts as a difference. Two variants of one experiment "
                + "are the stronger proof.");
    }

    private static boolean is(Side side, RunState state) {
        return side.state().equals(state.word());
    }

    private static String suspect(Side side) {
        return side.label() + " is suspect: its own report lists the caveats.";
    }

    private static List<String> unfit(List<Side> sides) {
        List<String> unfit = new ArrayList<>();
        for (Side side : sides) {
            if (is(side, RunState.INVALID)) {
                unfit.add(side.label() + " is invalid: its own report says why its numbers do not hold.");
            } else if (is(side, RunState.UNFINISHED)) {
                unfit.add(side.label() + " is unfinished: only its " + side.trials()
                        + " finished trials count; --resume does the rest.");
            }
        }
        return unfit;
    }

    private static List<String> blinding(List<Side> sides, List<Difference> differences, boolean strict) {
        List<String> blinding = new ArrayList<>(unfit(sides));
        sides.stream()
                .filter(side -> strict && is(side, RunState.SUSPECT))
                .forEach(side -> blinding.add(suspect(side)));
        if (RunDifferences.otherMachine(differences)) {
            blinding.add("another machine (" + names(differences, Difference.Kind.MACHINE)
                    + ") would count as better or worse Kafka");
        }
        return blinding;
    }

    private static String names(List<Difference> differences, Difference.Kind kind) {
        return String.join(
                ", ",
                differences.stream()
                        .filter(difference -> difference.kind() == kind)
                        .map(Difference::name)
                        .toList());
    }

    private static String apart(List<Side> sides) {
        try {
            List<Instant> starts = sides.stream()
                    .map(side -> Instant.parse(side.startedAt()))
                    .sorted()
                    .toList();
            Duration apart = Duration.between(starts.get(0), starts.get(starts.size() - 1));
            return NumberFormat.seconds((double) apart.toSeconds()) + " apart";
        } catch (DateTimeParseException e) {
            throw new UnreadableRunException("a trial began at '" + e.getParsedString()
                    + "', which is no time; its trial.json was changed by hand");
        }
    }

    /**
     * Checks comparisons against the tolerated share. A regression is a whole interval that is worse, or the first
     * loss, failure or duplicate. The check is blind if the trials could not have shown that much in the primary
     * metric: "no difference" then means nothing.
     */
    static final class Tolerance {
        private final double tolerance;
        private final List<String> worse = new ArrayList<>();
        private final List<String> unseen = new ArrayList<>();

        private Tolerance(double tolerance) {
            this.tolerance = tolerance;
        }

        static Gate gate(double tolerance, List<ComparisonResult> comparisons, List<String> blind) {
            Tolerance gate = new Tolerance(tolerance);
            gate.unseen.addAll(blind);
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
                unseen.add(what + ": no verdict; it takes at least " + Comparisons.ENOUGH
                        + " repeats on both sides, and messages that ended");
            } else if (primary && visible(c) > tolerance) {
                unseen.add(c.pair() + ", " + c.metric() + ": only a difference of " + NumberFormat.change(c.visible())
                        + " or more would show, and " + percent()
                        + " is asked for; repeat more often or measure longer");
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
