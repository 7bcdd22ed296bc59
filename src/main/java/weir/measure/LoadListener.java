package weir.measure;

/** A receiver of a load's numbers, from any thread. A window may arrive in several parts, to be summed. */
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
