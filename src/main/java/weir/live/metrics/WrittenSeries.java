package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Series as they were written last, in each form: thousands that have not been read anew are not written anew. */
final class WrittenSeries {
    private final Map<Exposition, List<MetricSnapshot>> written = new EnumMap<>(Exposition.class);
    private final Map<Exposition, byte[]> parts = new EnumMap<>(Exposition.class);

    /** The part of an answer with these series, which are known by being the same list. */
    @SuppressWarnings("ReferenceEquality") // comparing thousands of series takes as long as writing them
    synchronized byte[] part(Exposition form, List<MetricSnapshot> series) {
        byte[] part = parts.get(form);
        if (part == null || written.get(form) != series) {
            part = form.part(new MetricSnapshots(series));
            written.put(form, series);
            parts.put(form, part);
        }
        return part;
    }
}
