package weir.load.engine;

import java.util.List;

/** The port that asks for the topics, partitions and offsets of the load; partitions go by their index here. */
public interface LogView extends EnginePort {
    /** In place of an end where no broker at all answers, so that no leader is being elected either. */
    long NO_BROKER = -2;

    /** The number of topics. */
    int topics();

    /** The partitions of the load's topics, named like {@code topic-0}, topic by topic. */
    List<String> partitions();

    /** The offsets behind the last readable records; -1 for a partition that nobody answers for just now. */
    long[] ends();

    /** The offsets behind the last records, also of those in open transactions; -1 where nobody answers, {@link #NO_BROKER} everywhere if no broker does. */
    long[] logEnds();

    /** The offsets of the oldest records that are still there. */
    long[] beginnings();

    /** The offsets behind the last records that no open transaction keeps back; -1 where nobody answers. */
    default long[] stableEnds() {
        return ends();
    }
}
