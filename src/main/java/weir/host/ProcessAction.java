package weir.host;

/** Something that can be done to a process of a trial, a broker or a gateway, while the others go on. */
public enum ProcessAction {
    /** SIGKILL; over when the process is gone. */
    KILL,
    /** A controlled shutdown, by SIGTERM; over when the process is gone. */
    STOP,
    /** SIGSTOP. */
    PAUSE,
    /** SIGCONT. */
    RESUME,
    /** The start of one that was killed or stopped, at the same address; over when it serves again. */
    RESTART
}
