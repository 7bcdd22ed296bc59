package weir.worker;

import weir.measure.Snapshot;

/** The listener of a worker, called on its own thread. One window may arrive in several parts that add up. */
public interface WorkerListener {
    WorkerListener NONE = snapshot -> {};

    void window(Snapshot snapshot);

    /** A window, or a part of one, of the worker with this number, counted from 0. */
    default void window(int worker, Snapshot snapshot) {
        window(snapshot);
    }

    /** A figure of one second since the origin, as {@code weir.probe} has them. */
    default void reading(long second, String source, String metric, double value) {}

    default void event(String text) {}
}
