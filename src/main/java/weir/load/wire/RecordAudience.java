package weir.load.wire;

/** The readers that an engine's records may have. They decide whether each record needs an identity. */
public enum RecordAudience {
    /** Readers in any engine or process. */
    ANYONE,
    /** Receivers of the same engine, during the load. */
    AT_ONCE,
    /** Receivers of the same engine, after the load, when due times do not matter. */
    LATER,
    /** No reader of Weir. */
    NONE
}
