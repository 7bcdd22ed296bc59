package weir.load;

import weir.measure.Snapshot;

/** The listener of a load; several threads call it. */
public interface LoadListener {
    /** A window, or a further part of one. */
    void window(Snapshot snapshot);

    /** A figure of one second since the origin. */
    void reading(long second, String source, String metric, double value);

    void event(String text);
}
