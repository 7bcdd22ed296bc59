package weir.host;

/** An action on one process of a trial, such as a broker or a gateway. */
public enum ProcessAction {
    /** Sends SIGKILL, and waits until the process is gone. */
    KILL,
    /** Sends SIGTERM for a controlled shutdown, and waits until the process is gone. */
    STOP,
    /** Sends SIGSTOP. */
    PAUSE,
    /** Sends SIGCONT. */
    RESUME,
    /** Starts a killed or stopped process at its old address, or a prepared one, and waits until it serves. */
    RESTART
}
