package weir.measure;

/** The names of the readings about disturbances in probes.csv: the requested resources, and the effects. */
public final class DisturbanceReadings {
    public static final String MEMORY = "memory.rss.mib";

    /** Data written to files, even if it stays in the page cache. */
    public static final String WRITTEN = "disk.written.mib.per.s";

    public static final String CORES = "cpu.cores";

    public static final String ASKED_MEMORY = "asked.memory.mib";

    /** The amount of data that a stress rewrites again and again. */
    public static final String ASKED_DISK = "asked.disk.mib";

    /** The write rate that the limit of the disturbance allows; absent without a limit. */
    public static final String MOST_WRITTEN = "asked.disk.most.mib.per.s";

    /** The number of cores on which a stress should compute, at most its CPU limit and the cores of the machine. */
    public static final String ASKED_CORES = "asked.cores";

    public static final String LED = "led.partitions";

    /** Seconds from the beginning of the disturbance until other brokers led all partitions of the disturbed broker. */
    public static final String TAKEN_OVER = "taken.over.s";

    /** Seconds from the end of the disturbance until all replicas of the disturbed broker were in sync. */
    public static final String IN_SYNC = "in.sync.s";

    private DisturbanceReadings() {}

    public static String ofStress(String disturbance) {
        // The suffix must not begin another one, because sources are also found by prefix.
        return disturbance + " (stress)";
    }

    public static String ofStress(String disturbance, String host) {
        return ofStress(disturbance) + (host.isEmpty() ? "" : "-" + host);
    }

    public static String ofFault(String disturbance) {
        return disturbance + " (fault)";
    }
}
