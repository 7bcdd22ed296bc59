package weir.worker;

/** A phase in which load is carried. */
public enum LoadPhase {
    FILL,
    WARMUP,
    MEASURE
}
