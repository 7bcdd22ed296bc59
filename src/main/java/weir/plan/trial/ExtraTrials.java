package weir.plan.trial;

import java.util.List;
import java.util.function.Function;
import weir.feature.Feature;
import weir.feature.Features;
import weir.plan.Experiment;
import weir.plan.Problem;

/** Trials behind all others from which no figure is taken, such as those with profilers. */
public interface ExtraTrials extends Feature.Part {
    List<Trial> of(Experiment experiment);

    /** A sentence for each variant that has none although others have, with the reason. */
    List<String> leftOut(Experiment experiment);

    List<Problem> problems(Experiment experiment);

    /** The answers of all features. */
    static <T> List<T> all(Function<ExtraTrials, List<T>> question) {
        return Features.each(ExtraTrials.class).stream()
                .flatMap(extra -> question.apply(extra).stream())
                .toList();
    }
}
