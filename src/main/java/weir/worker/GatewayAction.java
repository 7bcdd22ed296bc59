package weir.worker;

/** Something that can be done to a gateway of a trial. */
public enum GatewayAction {
    /** SIGKILL; over when the process is gone. */
    KILL,
    /** It takes nothing more, and answers what it has; over when the process is gone. */
    STOP,
    /** SIGSTOP. */
    PAUSE,
    /** SIGCONT. */
    RESUME,
    /** The start of one that was killed or stopped, at the same address; over when it can be connected to. */
    RESTART
}
