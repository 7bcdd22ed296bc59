package weir.judge.trial;

import java.util.List;
import java.util.function.BiFunction;
import weir.feature.Feature;
import weir.judge.ProbeSeries;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;

/** The calculation of an event's time at each process of its way. */
public interface EventHops extends Feature.Part, BiFunction<ProbeSeries, TrialResult, List<HopResult>> {}
