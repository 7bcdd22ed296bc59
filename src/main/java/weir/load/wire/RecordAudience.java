package weir.load.wire;

/** The possible readers of an engine's records. They determine whether each record must contain its identity. */
public enum RecordAudience {
    /** Readers that may be in other engines or processes. */
    ANYONE,
    /** Only receivers of the same engine, during the load. */
    AT_ONCE,
    /** Only receivers of the same engine, after the load, when due times are no longer needed. */
    LATER,
    /** No reader of Weir. */
    NOBODY
}
