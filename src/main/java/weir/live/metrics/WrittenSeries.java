package weir.live.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Series as they were written last, in each form: thousands that have not been read anew are not written anew. */
final class WrittenSeries {
    private final Map<Exposition, Written> written = new EnumMap<>(Exposition.class);

    private record Written(List<MetricSnapshot> series, byte[] bytes) {}

    /** The part of an answer with these series, which are known by being the same list. */
    synchronized byte[] part(Exposition form, List<MetricSnapshot> series) {
        Written last = written.get(form);
        if (last == null || last.series != series) {
            last = new Written(series, form.part(new MetricSnapshots(series)));
            written.put(form, last);
        }
        return last.bytes;
    }
}
