package weir.cluster.start;

/** The connections of an embedded cluster that go through relays. */
enum RelayedListeners {
    NONE,
    CLIENTS,
    /** All connections: of clients, between brokers, and from brokers to controllers. */
    ALL
}
