package weir.worker;

import weir.measure.Snapshot;
import weir.probe.Reading;

/** Hears what a worker sees while it works, on a thread of its own. One window may come in several parts that add up. */
public interface WorkerListener {
    void window(Snapshot snapshot);

    void reading(Reading reading);

    void event(String text);
}
