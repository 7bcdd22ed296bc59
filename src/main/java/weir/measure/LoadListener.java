package weir.measure;

/** A receiver of a load's numbers, from any thread. If a window arrives in parts, the receiver adds the parts. */
public interface LoadListener {
    LoadListener NONE = snapshot -> {};

    void window(Snapshot snapshot);

    /** Receives a window, or a part of a window, from the worker with this number, counted from 0. */
    default void window(int worker, Snapshot snapshot) {
        window(snapshot);
    }

    default void reading(Reading reading) {}

    default void event(String text) {}
}
