package weir.load.wire;

/** Makes batches of the messages of lots. Owned by the sender's thread. */
interface BatchBuilder {
    /** How many messages the next lot may have at most. */
    int most();

    /** True when there is room for the next lot. */
    boolean room();

    /** Takes the next lot and gives its batches to their lanes. */
    void pack(long nowNanos);
}
