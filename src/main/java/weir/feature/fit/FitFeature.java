package weir.feature.fit;

import java.util.List;
import java.util.Map;
import weir.feature.Feature;
import weir.feature.ModelKind;
import weir.feature.fit.FitChecks.ScalingGroup;
import weir.judge.trial.JudgedTrial;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.plan.syntax.Units;
import weir.report.Section;
import weir.results.RunResult.ModelResult;

/** The models of the trials: the cost of a transaction, and the scaling of a load. */
public final class FitFeature implements Feature, ModelKind {
    @Override
    public List<Part> parts() {
        return List.of(
                new Section(60, "fit", "Cost of a transaction", ModelSection::costs, ModelSection::briefCosts),
                new Section(70, "scaling", "Scaling", ModelSection::scaling, ModelSection::briefScaling));
    }

    @Override
    public Map<String, Class<? extends ModelResult>> results() {
        return Map.of("fits", FitResult.class, "scalings", ScalingResult.class);
    }

    @Override
    public void check(LayeredExperiment experiment, boolean whole, Findings findings) {
        new FitChecks(findings, experiment.top().section("fit")).check(experiment.laid(), whole);
    }

    @Override
    public List<ModelSpec> asked(Tree.Section top, List<Variant> variants) {
        if (!top.has("fit")) {
            return List.of();
        }
        Tree.Section fit = top.section("fit");
        List<String> taking = fit.has("variants")
                ? fit.texts("variants")
                : variants.stream().map(Variant::name).toList();
        if (!fit.has("scaling")) {
            return List.of(
                    new FitSpec.Cost(fit.text("of"), fit.texts("by"), Units.percent(fit.text("overhead")), taking));
        }
        String scaling = fit.text("scaling");
        return List.of(new FitSpec.Scaling(
                scaling,
                ScalingGroup.of(scaling, variants).stream()
                        .filter(ScalingGroup::scales)
                        .flatMap(group -> group.variants().stream().map(Variant::name))
                        .filter(taking::contains)
                        .toList()));
    }

    @Override
    public Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials) {
        return Map.of("fits", Fits.costs(asked, trials), "scalings", Fits.scalings(asked, trials));
    }
}
