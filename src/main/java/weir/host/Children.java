package weir.host;

import java.util.List;

/** Starts processes, none of which outlives us, however we end. */
@SuppressWarnings("DoNotCallSuggester")
public final class Children implements AutoCloseable {
    private Children() {}

    public static Children open(Journal journal) {
        throw new UnsupportedOperationException();
    }

    public Child start(Command command) {
        throw new UnsupportedOperationException();
    }

    /** What this machine cannot promise about the children's end; usually nothing. */
    public List<String> caveats() {
        throw new UnsupportedOperationException();
    }

    public Journal journal() {
        throw new UnsupportedOperationException();
    }

    /** Kills all that still live, and waits until they are gone. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
