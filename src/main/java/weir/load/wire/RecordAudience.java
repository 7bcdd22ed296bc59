package weir.load.wire;

/** Who looks at the records that an engine writes: decides whether each of them has to say itself who it is. */
public enum RecordAudience {
    /** Other engines or other processes, too. */
    ANYONE,
    /** Only receivers of the same engine, while it is written. */
    AT_ONCE,
    /** Only receivers of the same engine, when it does not matter any more when a record was due. */
    LATER,
    /** Nobody of us. */
    NOBODY
}
