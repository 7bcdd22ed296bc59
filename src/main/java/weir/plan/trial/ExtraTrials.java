package weir.plan.trial;

import java.util.List;
import java.util.function.Function;
import weir.feature.Feature;
import weir.feature.Features;
import weir.plan.Experiment;
import weir.plan.Problem;

/** The extra trials of a feature, such as profiled trials, which run last and give no figures. */
public interface ExtraTrials extends Feature.Part {
    List<Trial> of(Experiment experiment);

    /** A sentence with the reason for each variant without extra trials, if other variants have extra trials. */
    List<String> leftOut(Experiment experiment);

    List<Problem> problems(Experiment experiment);

    static <T> List<T> all(Function<ExtraTrials, List<T>> question) {
        return Features.each(ExtraTrials.class).stream()
                .flatMap(extra -> question.apply(extra).stream())
                .toList();
    }
}
