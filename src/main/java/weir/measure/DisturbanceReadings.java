package weir.measure;

/** The names of metrics about disturbances in probes.csv: requested resources and effects. */
public final class DisturbanceReadings {
    public static final String MEMORY = "memory.rss.mib";

    /** Data written to files, even if it stays in the page cache. */
    public static final String WRITTEN = "disk.written.mib.per.s";

    public static final String CORES = "cpu.cores";

    public static final String ASKED_MEMORY = "asked.memory.mib";

    public static final String ASKED_DISK = "asked.disk.mib";

    /** The write rate that the disturbance allows; absent without a limit. */
    public static final String MOST_WRITTEN = "asked.disk.most.mib.per.s";

    /** The number of cores of a stress, at most its CPU limit and the cores of the machine. */
    public static final String ASKED_CORES = "asked.cores";

    public static final String LED = "led.partitions";

    public static final String TAKEN_OVER = "taken.over.s";

    public static final String IN_SYNC = "in.sync.s";

    /** The sources of gaps begin so. The time of such a reading is the exact end of a gap. */
    public static final String PARTITION = "partition";

    /** The longest time of a second in which a producer waited for an ack of the partition. */
    public static final String ACK_GAP = "ack.gap.ms";

    /** The longest time of a second in which a reader waited for a message of the partition. */
    public static final String READ_GAP = "read.gap.ms";

    private DisturbanceReadings() {}

    public static String ofStress(String disturbance) {
        // Sources are also found by prefix, so one suffix must not begin with another.
        return disturbance + " (stress)";
    }

    public static String ofStress(String disturbance, String host) {
        return ofStress(disturbance) + (host.isEmpty() ? "" : "-" + host);
    }

    public static String ofFault(String disturbance) {
        return disturbance + " (fault)";
    }
}
