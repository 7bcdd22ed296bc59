package weir.judge.trial;

import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import weir.feature.Feature;
import weir.judge.Evidence;
import weir.judge.ProbeSeries;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.HopResult;
import weir.results.value.TrialResult;

/** The result of a trial, its caveats, and its folder. Files of the folder are read only on demand. */
public record JudgedTrial(TrialFolder folder, TrialResult result, List<Caveat> caveats) implements Evidence {
    public JudgedTrial {
        caveats = List.copyOf(caveats);
    }

    public static JudgedTrial of(TrialFolder folder) {
        return folder.finished()
                ? new JudgedTrial(folder, folder.result(), folder.caveats())
                : new TrialJudge(folder).judged();
    }

    public boolean interrupted() {
        return caveats.stream().anyMatch(caveat -> caveat.is(Caveat.INTERRUPTED));
    }

    @Override
    public SortedMap<String, Latency> latencies() {
        return folder.latencies();
    }

    @Override
    public void latencies(Predicate<HistogramLog.LatencyTag> names, BiConsumer<Double, Latency> window) {
        folder.latencies(names, window);
    }

    @Override
    public List<WindowRow> windows() {
        return folder.windows();
    }

    @Override
    public List<Event> events() {
        return folder.events();
    }

    /** A calculation of the time that an event spends in each process of its path. */
    public interface EventHops extends Feature.Part, BiFunction<ProbeSeries, TrialResult, List<HopResult>> {}
}
