package weir.plan.trial;

import java.util.List;
import java.util.function.Function;
import weir.feature.Feature;
import weir.feature.Features;
import weir.plan.Experiment;
import weir.plan.Problem;

/** Extra trials that run last and give no figures, such as profiled ones. */
public interface ExtraTrials extends Feature.Part {
    List<Trial> of(Experiment experiment);

    /** A sentence with the reason for each variant without extra trials, if other variants have some. */
    List<String> leftOut(Experiment experiment);

    List<Problem> problems(Experiment experiment);

    static <T> List<T> all(Function<ExtraTrials, List<T>> question) {
        return Features.each(ExtraTrials.class).stream()
                .flatMap(extra -> question.apply(extra).stream())
                .toList();
    }
}
