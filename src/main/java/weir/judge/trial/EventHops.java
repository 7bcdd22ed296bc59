package weir.judge.trial;

import java.util.List;
import java.util.function.BiFunction;
import weir.feature.Feature;
import weir.judge.ProbeSeries;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;

/** A calculation of the time that an event spends in each process of its path. */
public interface EventHops extends Feature.Part, BiFunction<ProbeSeries, TrialResult, List<HopResult>> {}
