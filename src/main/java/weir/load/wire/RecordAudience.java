package weir.load.wire;

/** The readers of the records of an engine: on them it depends whether each record says which it is. */
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
