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

/** The evidence by which one trial is judged. */
public interface Evidence {
    TrialResult result();

    /** The latencies of the whole trial, by names such as {@code response@2}; the caller owns the map. */
    SortedMap<String, Latency> latencies();

    /** Passes on the latencies with these names, one sum for each window, with the window's second. */
    default void latencies(Predicate<HistogramLog.LatencyTag> names, BiConsumer<Double, Latency> window) {
        throw new AssertionError("the plan must refuse a limit for single windows");
    }

    default List<WindowRow> windows() {
        return List.of();
    }

    default List<Event> events() {
        return List.of();
    }
}
