package weir.worker;

/** A phase with load. */
public enum LoadPhase {
    FILL,
    WARMUP,
    MEASURE
}
