package weir.feature;

import java.util.List;
import java.util.Map;
import weir.judge.trial.JudgedTrial;
import weir.plan.Experiment.ModelSpec;
import weir.plan.Variant;
import weir.plan.check.LayeredExperiment;
import weir.plan.syntax.Findings;
import weir.plan.syntax.Tree;
import weir.results.RunResult.ModelResult;

/** A kind of model that Weir fits to the trials of an experiment. Each kind has its own checks and results. */
public interface ModelKind extends Feature.Part {
    /** Returns the record types of the results, by the names of the results in the files of a run. */
    Map<String, Class<? extends ModelResult>> results();

    /** Checks an experiment. A {@code whole} experiment is not shortened and must have enough variants. */
    default void check(LayeredExperiment experiment, boolean whole, Findings findings) {}

    List<ModelSpec> asked(Tree.Section top, List<Variant> variants);

    /** Returns the fitted models, by the names of their results. */
    Map<String, List<? extends ModelResult>> fitted(List<ModelSpec> asked, List<JudgedTrial> trials);
}
