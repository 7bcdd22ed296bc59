package weir.judge.caveat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import weir.judge.BreakingPoints;
import weir.judge.LoadCurve;
import weir.measure.Known;
import weir.measure.Median;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.SearchSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.PropertyDifference;
import weir.results.RequestedExperiment;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The reasons to doubt several trials together. */
public final class RunCaveats {
    private static final int MOST_NAMED = 6;
    private static final double TENTH = 0.1;

    private final CaveatCollector caveats = new CaveatCollector(null);

    private RunCaveats() {}

    public static List<Caveat> of(
            Experiment experiment, RequestedExperiment asked, Machine machine, List<TrialResult> trials) {
        RunCaveats run = new RunCaveats();
        run.ignored(experiment.variants());
        run.ours(experiment, trials);
        asked.variants().forEach(variant -> run.presets(variant, machine));
        List<String> variants =
                trials.stream().map(TrialResult::variant).distinct().toList();
        variants.forEach(variant -> run.cold(LoadCurve.of(variant, trials)));
        if (variants.size() > 1) {
            run.repeats(variants, trials);
            for (List<String> pair : pairs(experiment, variants)) {
                run.differences(asked, machine, pair);
                run.slowPath(experiment, trials, pair);
            }
        }
        return run.caveats.found();
    }

    private void ignored(List<Variant> variants) {
        IgnoredProperties.in(variants)
                .forEach(sentence -> caveats.addAs(
                        "no-effect",
                        CaveatType.PROPERTY_IGNORED,
                        sentence.substring(0, sentence.indexOf(':')),
                        sentence));
    }

    private void presets(RequestedExperiment.Variant variant, Machine machine) {
        List<Property> brokers = machine.properties().getOrDefault(variant.name(), List.of()).stream()
                .filter(property -> property.of().startsWith("broker "))
                .toList();
        List<String> open = new ArrayList<>();
        for (Setting setting : variant.settings()) {
            String name = setting.askedOfOperator();
            Set<String> there = brokers.stream()
                    .filter(property -> property.name().equals(name))
                    .map(Property::effective)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!name.isEmpty() && !there.isEmpty() && !there.equals(Set.of(setting.value()))) {
                open.add(name + " is " + String.join(" / ", there) + " (" + setting.value() + " asked)");
            }
        }
        caveats.addIf(!open.isEmpty(), "", CaveatType.PRESET_NOT_MET, variant.name(), String.join(", ", open));
    }

    private void ours(Experiment experiment, List<TrialResult> trials) {
        for (SearchSpec search : experiment.searches()) {
            if (search instanceof SearchSpec.BreakingPoint breaking) {
                for (Variant variant : breaking.asked(experiment)) {
                    BreakingPointResult point = BreakingPoints.of(variant.name(), List.of(), trials);
                    if (point.ours()) {
                        caveats.add(CaveatType.BREAK_IS_OURS, variant.name(), NumberFormat.rate(point.rate()));
                    }
                }
            }
        }
    }

    private void cold(LoadCurve curve) {
        String steps = curve.cold().stream()
                .map(cold -> NumberFormat.percent(cold.point().achieved()) + " of "
                        + NumberFormat.rate(cold.point().rate()) + ", and " + cold.later())
                .collect(Collectors.joining("; "));
        caveats.addIf(!steps.isEmpty(), "", CaveatType.NOT_WARM, curve.variant(), steps);
    }

    private void repeats(List<String> variants, List<TrialResult> trials) {
        List<String> few = variants.stream()
                .map(variant -> trials.stream()
                                .filter(trial -> trial.variant().equals(variant))
                                .count() + " of " + variant)
                .filter(count -> Integer.parseInt(count.substring(0, count.indexOf(' '))) < Welch.ENOUGH)
                .toList();
        caveats.addIf(!few.isEmpty(), "", CaveatType.FEW_REPEATS, named(few));
    }

    private void differences(RequestedExperiment asked, Machine machine, List<String> pair) {
        List<PropertyDifference> unsaid = PropertyDifference.between(asked, machine, pair).stream()
                .filter(difference -> !difference.said())
                .toList();
        if (!unsaid.isEmpty()) {
            caveats.add(
                    CaveatType.VARIANTS_DIFFER_IN_MORE,
                    pair.get(0),
                    pair.get(1),
                    named(unsaid.stream()
                            .map(d -> d.of() + " " + d.name() + " (" + String.join(", ", d.values()) + ")")
                            .toList()));
        }
        Set<String> changed = PropertyDifference.changed(asked, pair);
        if (changed.size() > 1) {
            String settings = named(List.copyOf(changed));
            caveats.add(CaveatType.SEVERAL_CHANGES, pair.get(0), pair.get(1), changed.size(), settings);
        }
    }

    /** Two paths through HTTP servers differ by the servers' cost; a fault costs far more. */
    private void slowPath(Experiment experiment, List<TrialResult> trials, List<String> pair) {
        boolean bridged = experiment.variants().stream()
                .filter(variant -> pair.contains(variant.name()))
                .noneMatch(variant -> variant.bridge().none());
        if (!bridged) {
            return;
        }
        List<String> slowest = new ArrayList<>(pair);
        slowest.sort(Comparator.comparingDouble(variant -> acked(variant, trials)));
        double slow = acked(slowest.get(0), trials);
        double fast = acked(slowest.get(1), trials);
        if (slow < fast * TENTH) {
            caveats.add(
                    CaveatType.SLOW_PATH,
                    slowest.get(0),
                    NumberFormat.rate(slow),
                    slowest.get(1),
                    NumberFormat.rate(fast));
        }
    }

    private static double acked(String variant, List<TrialResult> trials) {
        return Known.orNaN(Median.of(
                trials.stream().filter(trial -> trial.variant().equals(variant)).toList(),
                trial -> trial.figures().ackedPerSecond()));
    }

    private static String named(List<String> all) {
        String more = all.size() > MOST_NAMED ? " and " + (all.size() - MOST_NAMED) + " more" : "";
        return all.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")) + more;
    }

    private static Set<List<String>> pairs(Experiment experiment, List<String> variants) {
        Set<List<String>> pairs = new LinkedHashSet<>();
        if (experiment.comparisons().isEmpty()) {
            variants.stream().skip(1).forEach(variant -> pairs.add(List.of(variant, variants.get(0))));
        }
        for (CompareSpec compare : experiment.comparisons()) {
            if (compare instanceof CompareSpec.Over over) {
                pairs.add(List.of(over.a(), over.b()));
            } else if (compare instanceof CompareSpec.Between between) {
                pairs.add(List.of(between.a(), between.from()));
                pairs.add(List.of(between.to(), between.from()));
            } else {
                throw new AssertionError(compare);
            }
        }
        List<List<String>> run = new ArrayList<>(pairs);
        run.removeIf(pair -> !variants.containsAll(pair));
        return new LinkedHashSet<>(run);
    }
}
