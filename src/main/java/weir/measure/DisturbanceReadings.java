package weir.measure;

/** The names under which probes.csv tells of disturbances: what was asked for, and what they did. */
public final class DisturbanceReadings {
    /** Resident, of all processes of a stress. */
    public static final String MEMORY = "memory.rss.mib";

    /** Written to files, cached or not. */
    public static final String WRITTEN = "disk.written.mib.per.s";

    public static final String CORES = "cpu.cores";

    /** The memory that it was to take, no more than its limit. */
    public static final String ASKED_MEMORY = "asked.memory.mib";

    /** The size of what it was to write again and again. */
    public static final String ASKED_DISK = "asked.disk.mib";

    /** The most that its limit lets it write; absent without one. */
    public static final String MOST_WRITTEN = "asked.disk.most.mib.per.s";

    /** The cores that it was to compute on, no more than its limit and the machine have. */
    public static final String ASKED_CORES = "asked.cores";

    /** The partitions of the load that the broker leads before it is disturbed. */
    public static final String LED = "led.partitions";

    /** Seconds from the begin of the disturbance until others led all that the broker had led. */
    public static final String TAKEN_OVER = "taken.over.s";

    /** Seconds from its end until all replicas of the broker were in sync. */
    public static final String IN_SYNC = "in.sync.s";

    private DisturbanceReadings() {}

    public static String ofStress(String disturbance) {
        // What comes last must not be the begin of another: sources are also looked for by how they begin.
        return disturbance + " (stress)";
    }

    /** The same for one host of several; an empty name is this machine. */
    public static String ofStress(String disturbance, String host) {
        return ofStress(disturbance) + (host.isEmpty() ? "" : "-" + host);
    }

    public static String ofFault(String disturbance) {
        return disturbance + " (fault)";
    }
}
