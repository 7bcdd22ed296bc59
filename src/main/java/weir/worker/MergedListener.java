package weir.worker;

import java.util.HashMap;
import java.util.Map;
import weir.measure.Snapshot;

/**
 * Several workers that are heard as one. What a worker reads of itself keeps its number, from 1; how far the readers of
 * all are behind is added up once every worker has told it; what all of them see alike is heard from the first.
 */
final class MergedListener {
    private final WorkerListener out;
    private final int workers;
    private final Map<Place, Sum> open = new HashMap<>();

    private record Place(long second, String metric) {}

    private record Sum(int parts, double value) {}

    MergedListener(WorkerListener out, int workers) {
        this.out = out;
        this.workers = workers;
    }

    /** The listener for one of the workers, counted from 0. */
    WorkerListener part(int worker) {
        return new WorkerListener() {
            @Override
            public void window(Snapshot snapshot) {
                out.window(worker, snapshot);
            }

            @Override
            public void reading(long second, String source, String metric, double value) {
                heard(worker, second, source, metric, value);
            }

            @Override
            public void event(String text) {
                out.event("worker " + (worker + 1) + ": " + text);
            }
        };
    }

    private void heard(int worker, long second, String source, String metric, double value) {
        boolean behind = source.equals("readers")
                && (metric.equals("lag.records") || metric.equals("lag.records.max") || metric.equals("lag.seconds"));
        if (behind) {
            together(second, source, metric, value);
        } else if (!source.equals("transactions")) {
            out.reading(second, source + "-" + (worker + 1), metric, value);
        } else if (worker == 0) {
            out.reading(second, source, metric, value);
        }
    }

    // A second that one of them missed is not told: a sum without it would be too low.
    private synchronized void together(long second, String source, String metric, double value) {
        boolean adds = metric.equals("lag.records");
        Sum sum = open.merge(
                new Place(second, metric),
                new Sum(1, value),
                (before, one) ->
                        new Sum(before.parts + 1, adds ? before.value + value : Math.max(before.value, value)));
        if (sum.parts == workers) {
            open.keySet().removeIf(place -> place.metric.equals(metric) && place.second <= second);
            out.reading(second, source, metric, sum.value);
        }
    }
}
