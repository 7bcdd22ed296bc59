package weir.cluster;

/** Something that can be done to a broker while the cluster is up. */
public enum BrokerAction {
    /** SIGKILL; over when the process is gone. */
    KILL,
    /** A controlled shutdown; over when the process is gone. */
    STOP,
    /** SIGSTOP. */
    PAUSE,
    /** SIGCONT. */
    RESUME,
    /** The start of a broker that was killed or stopped; over when it is unfenced. */
    RESTART
}
