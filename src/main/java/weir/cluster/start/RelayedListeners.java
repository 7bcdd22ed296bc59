package weir.cluster.start;

/** The connections of an embedded cluster that go through relays. */
enum RelayedListeners {
    NONE,
    CLIENTS,
    /** Also connections between brokers, and from brokers to controllers. */
    ALL
}
