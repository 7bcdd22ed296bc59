package weir.load;

import weir.measure.Snapshot;

/** The listener of a load; several threads call it. */
public interface LoadListener {
    void window(Snapshot snapshot);

    /** Receives a figure of one second, counted from the origin. */
    void reading(long second, String source, String metric, double value);

    void event(String text);
}
