package weir.results;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import weir.measure.Latency;
import weir.measure.LatencyKind;

/**
 * The windows of a trial, one row for each second. While a trial runs, what becomes known late (how long a blocked sender
 * was held) is written as a second row of a second that was written before; here they are added up. Counts add; their
 * percentiles do not, so those are taken anew from the histograms of that second.
 */
final class WindowParts {
    /** The histograms of some seconds: calls back with each second that has any of a metric. */
    interface Histograms {
        void of(LatencyKind metric, Set<Double> seconds, BiConsumer<Double, Latency> window);
    }

    private WindowParts() {}

    /** True when some second has more than one row. */
    static boolean inParts(List<WindowRow> rows) {
        return rows.stream().map(WindowRow::second).distinct().count() < rows.size();
    }

    /** In the order of time, a row for each second. */
    static List<WindowRow> whole(List<WindowRow> rows, Histograms histograms) {
        Map<Double, List<WindowRow>> seconds = new TreeMap<>();
        rows.forEach(row -> seconds.computeIfAbsent(row.second(), second -> new ArrayList<>())
                .add(row));
        Set<Double> late = new HashSet<>();
        seconds.forEach((second, parts) -> {
            if (parts.size() > 1) {
                late.add(second);
            }
        });
        Map<Double, Map<LatencyKind, WindowRow.Spread>> spreads = new HashMap<>();
        if (!late.isEmpty()) {
            for (LatencyKind metric : LatencyKind.values()) {
                histograms.of(
                        metric,
                        late,
                        (second, latency) -> spreads.computeIfAbsent(second, s -> new HashMap<>())
                                .put(metric, WindowRow.Spread.of(latency)));
            }
        }
        return seconds.values().stream()
                .map(parts -> parts.stream()
                        .reduce((sum, part) -> sum.plus(part, spreads.getOrDefault(part.second(), Map.of())))
                        .orElseThrow())
                .toList();
    }
}
