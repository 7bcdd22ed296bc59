package weir.worker;

import java.util.List;

/** Several workers that carry one load together, as one worker. */
@SuppressWarnings("DoNotCallSuggester")
public final class Fleet {
    private Fleet() {}

    /** The assignment that it is prepared with is dealt out among them. */
    public static Worker of(List<Worker> workers) {
        throw new UnsupportedOperationException();
    }
}
