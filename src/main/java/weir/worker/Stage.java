package weir.worker;

/** A phase in which load is carried. */
public enum Stage {
    FILL,
    WARMUP,
    MEASURE
}
