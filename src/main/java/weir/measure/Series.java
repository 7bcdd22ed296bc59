package weir.measure;

import java.util.List;

/** All windows of a trial, merged from many recorders and workers. Safe for many threads. */
@SuppressWarnings("DoNotCallSuggester")
public final class Series {
    /** Takes in a window, or a part of one. */
    public void add(Snapshot snapshot) {
        throw new UnsupportedOperationException();
    }

    /**
     * The windows before {@code index} that nobody has taken yet, in order; with Long.MAX_VALUE all of them. Parts that
     * come later are a window of the same index again, so everything taken adds up to everything added.
     */
    public List<Snapshot> take(long index) {
        throw new UnsupportedOperationException();
    }

    /** The numbers of the steps from {@code first} to {@code last}, both included, over all windows so far. */
    public Numbers total(int first, int last) {
        throw new UnsupportedOperationException();
    }

    public Numbers total(int step) {
        return total(step, step);
    }
}
