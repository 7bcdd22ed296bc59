package weir.load.wire;

/** The readers of an engine's records, which decide whether each record carries its identity. */
public enum RecordAudience {
    /** Readers that may be in other engines or processes. */
    ANYONE,
    /** Only receivers of the same engine, during the load. */
    AT_ONCE,
    /** Only receivers of the same engine, when due times do not matter any more. */
    LATER,
    /** No reader of ours. */
    NOBODY
}
