package weir.load.wire;

/** The maker of record batches of the messages that are due. Owned by the sender's thread. */
interface BatchBuilder {
    /** The most messages that it can take next. */
    int most();

    /** True when there is room for a record batch. */
    boolean room();

    /** Takes the next messages and gives the batches made of them to their queues. */
    void pack(long nowNanos);
}
