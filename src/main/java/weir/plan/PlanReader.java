package weir.plan;

import java.nio.file.Path;

/** Reads experiments. */
@SuppressWarnings("DoNotCallSuggester")
public final class PlanReader {
    private PlanReader() {}

    /**
     * Reads a file, and lays over it what the command line says.
     *
     * @throws Problems with everything that is wrong with the file and what is laid over it
     */
    public static Experiment read(Path file, Overrides overrides) {
        throw new UnsupportedOperationException("reading " + file + " with " + overrides);
    }

    /** Reads {@link Variant#resolved} back. */
    public static Variant resolved(String json) {
        throw new UnsupportedOperationException("reading " + json);
    }

    /** Reads {@link Experiment#resolved} back. */
    public static Experiment experiment(String json) {
        throw new UnsupportedOperationException("reading " + json);
    }
}
