package weir.cluster.start;

/** The connections of a cluster started here before which relays stand. */
enum RelayedListeners {
    NONE,
    CLIENTS,
    /** The connections among brokers and from brokers to controllers, too. */
    ALL
}
