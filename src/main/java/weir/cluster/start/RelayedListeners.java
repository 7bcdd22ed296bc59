package weir.cluster.start;

/** The connections of an embedded cluster that go through relays. */
enum RelayedListeners {
    NONE,
    CLIENTS,
    /** Also the connections among brokers and from brokers to controllers. */
    ALL
}
