package weir.judge;

import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import weir.measure.HistogramLog;
import weir.measure.Latency;
import weir.results.WindowRow;
import weir.results.value.Event;
import weir.results.value.TrialResult;

/** The evidence that one trial left behind to be judged by. */
public interface Evidence {
    TrialResult result();

    /** The latencies of all windows together, by names like {@code response@2}; a map of the caller's own. */
    SortedMap<String, Latency> latencies();

    /** Hands over the latencies with these names, added up within each window, by its second. */
    void latencies(Predicate<HistogramLog.LatencyTag> names, BiConsumer<Double, Latency> window);

    List<WindowRow> windows();

    List<Event> events();
}
