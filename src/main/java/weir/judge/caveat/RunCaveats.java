package weir.judge.caveat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import weir.feature.Features;
import weir.judge.BreakingPoints;
import weir.judge.LoadCurve;
import weir.measure.Welch;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.syntax.CaveatType;
import weir.results.Machine;
import weir.results.PropertyDifference;
import weir.results.RequestedExperiment;
import weir.results.value.BreakingPointResult;
import weir.results.value.Caveat;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/** The reasons to doubt several trials together. */
public record RunCaveats(
        Experiment experiment,
        RequestedExperiment asked,
        Machine machine,
        List<TrialResult> trials,
        CaveatCollector caveats) {
    static final CaveatType BREAK_IS_OURS = CaveatType.named("break-is-ours");
    static final CaveatType NOT_WARM = CaveatType.named("not-warm");
    static final CaveatType FEW_REPEATS = CaveatType.named("few-repeats");
    static final CaveatType VARIANTS_DIFFER_IN_MORE = CaveatType.named("variants-differ-in-more");
    static final CaveatType SEVERAL_CHANGES = CaveatType.named("several-changes");

    private static final int MOST_NAMED = 6;

    public static List<Caveat> of(
            Experiment experiment, RequestedExperiment asked, Machine machine, List<TrialResult> trials) {
        RunCaveats run = new RunCaveats(experiment, asked, machine, trials, new CaveatCollector(null));
        run.ignored();
        run.generatorBreaks();
        List<String> variants = run.variants();
        variants.forEach(variant -> run.cold(LoadCurve.of(variant, trials)));
        if (variants.size() > 1) {
            run.repeats(variants);
            run.pairs().forEach(run::differences);
        }
        Features.each(FeatureCaveats.class).forEach(caveats -> caveats.ofRun(run));
        return run.caveats.found();
    }

    private List<String> variants() {
        return TrialResult.variants(trials);
    }

    private void ignored() {
        IgnoredProperties.in(experiment.variants())
                .forEach(sentence -> caveats.addAs(
                        "no-effect",
                        PropertyCaveats.PROPERTY_IGNORED,
                        sentence.substring(0, sentence.indexOf(':')),
                        sentence));
    }

    private void generatorBreaks() {
        for (SearchSpec search : experiment.searches()) {
            if (search instanceof SearchSpec.BreakingPoint breaking) {
                for (Variant variant : breaking.asked(experiment)) {
                    BreakingPointResult point = BreakingPoints.of(variant.name(), List.of(), trials);
                    if (point.ours()) {
                        caveats.add(BREAK_IS_OURS, variant.name(), NumberFormat.rate(point.rate()));
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
        caveats.addIf(!steps.isEmpty(), "", NOT_WARM, curve.variant(), steps);
    }

    private void repeats(List<String> variants) {
        List<String> few = variants.stream()
                .filter(variant -> TrialResult.ofVariant(variant, trials).size() < Welch.ENOUGH)
                .map(variant -> TrialResult.ofVariant(variant, trials).size() + " of " + variant)
                .toList();
        caveats.addIf(!few.isEmpty(), "", FEW_REPEATS, named(few));
    }

    private void differences(List<String> pair) {
        List<PropertyDifference> undeclared = PropertyDifference.between(asked, machine, pair).stream()
                .filter(difference -> !difference.declared())
                .toList();
        if (!undeclared.isEmpty()) {
            caveats.add(
                    VARIANTS_DIFFER_IN_MORE,
                    pair.get(0),
                    pair.get(1),
                    named(undeclared.stream()
                            .map(d -> d.of() + " " + d.name() + " (" + String.join(", ", d.values()) + ")")
                            .toList()));
        }
        Set<String> changed = PropertyDifference.changed(asked, pair);
        if (changed.size() > 1) {
            String settings = named(List.copyOf(changed));
            caveats.add(SEVERAL_CHANGES, pair.get(0), pair.get(1), changed.size(), settings);
        }
    }

    private static String named(List<String> all) {
        String more = all.size() > MOST_NAMED ? " and " + (all.size() - MOST_NAMED) + " more" : "";
        return all.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")) + more;
    }

    public Set<List<String>> pairs() {
        List<String> variants = variants();
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
