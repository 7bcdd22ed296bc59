package weir.measure;

/** The numbers of the steps: what a trial's messages belong to by the time they were due. */
public final class Steps {
    public static final int FILL = 0;
    public static final int WARMUP = 1;
    /** The first step of the measured phase; the others follow it. */
    public static final int MEASURE = 2;

    private Steps() {}
}
