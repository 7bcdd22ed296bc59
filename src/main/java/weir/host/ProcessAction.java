package weir.host;

/** An action on one process of a trial, a broker or a gateway; the others continue. */
public enum ProcessAction {
    /** SIGKILL; over when the process is gone. */
    KILL,
    /** A controlled shutdown, by SIGTERM; over when the process is gone. */
    STOP,
    /** SIGSTOP. */
    PAUSE,
    /** SIGCONT. */
    RESUME,
    /** A start of a killed or stopped process at its old address; over when it serves again. */
    RESTART
}
