package weir.load.workload;

import weir.load.send.PhaseShare;

/** The kind of operation that a load consists of, whatever engine carries it. */
public interface Workload {
    /** True when anybody reads while the load is carried. */
    default boolean reads() {
        return false;
    }

    /** True when readers read what was written before the phase, instead of all that arrives at any time. */
    default boolean readsBacklog() {
        return false;
    }

    /** Deals the operations of a phase out among those who carry them. */
    void begin(PhaseShare share, LoadParticipants participants);
}
