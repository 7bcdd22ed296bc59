package weir.results;

/**
 * Something that happened {@code second} seconds after the trial's first window began. A {@link #PHASE} lasts until the
 * next phase, a {@link #STEP} until the next step, rest or phase; any other name is a mark on the time axis.
 */
public record Event(double second, String name, String text) {
    public static final String PHASE = "phase";
    public static final String STEP = "step";
    public static final String REST = "rest";
    public static final String CAVEAT = "caveat";
}
