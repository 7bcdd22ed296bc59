package weir.judge.caveat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.measure.Canary;
import weir.measure.Known;
import weir.plan.syntax.CaveatType;
import weir.results.CanaryResults;
import weir.results.value.Caveat;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;
import weir.results.value.StressResult;

/** The caveats about the machine's effect on the numbers. A missing reading raises no caveat. */
public record MachineCaveats(CaveatCollector caveats) {
    public static final CaveatType CLOCK_STEPPED = CaveatType.named("clock-stepped");
    static final CaveatType SHARED_CORES = CaveatType.named("shared-cores");
    static final CaveatType DATA_ON_TMPFS = CaveatType.named("data-on-tmpfs");
    static final CaveatType WRITEBACK_UNLIMITED = CaveatType.named("writeback-unlimited");
    static final CaveatType PAGE_CACHE_ABSORBED_THE_WRITES = CaveatType.named("page-cache-absorbed-the-writes");
    static final CaveatType READ_FROM_THE_PAGE_CACHE = CaveatType.named("read-from-the-page-cache");
    static final CaveatType CACHE_NOT_AS_ASKED = CaveatType.named("cache-not-as-asked");
    public static final CaveatType HOST_NOISY = CaveatType.named("host-noisy");
    static final CaveatType STRESS_MISSED = CaveatType.named("stress-missed");

    /** The sources of readings about the page cache and the share of log segments in the cache. */
    public static final String PAGE_CACHE = "page-cache";

    public static final String RESIDENT = "resident.percent";

    private static final double STEPPED_MILLIS = 50;
    private static final double STEAL_PERCENT = 2;
    private static final double OTHERS_SHARE = 0.1;
    private static final double MEMORY_PRESSURE_PERCENT = 1;
    private static final double CACHED_SHARE = 0.1;
    private static final double UNSTEADY = 1.2;
    private static final double SATURATED_PERCENT = 90;
    private static final double LEAST_MEMORY = 0.9;
    private static final double LEAST_WRITTEN = 0.5;
    private static final double LEAST_CORES = 0.5;
    private static final double BUSY_PERCENT = 50;

    /** Checks that the wall clock and the steady clock advanced equally; both in milliseconds. */
    public void clock(double wall, double steady) {
        caveats.addIf(Math.abs(wall - steady) > STEPPED_MILLIS, "", CLOCK_STEPPED, wall - steady);
    }

    /**
     * Adds the caveat that generator and brokers on one machine compete for CPU time.
     *
     * @param busy percent of the CPU time that all processes used over the trial
     * @param used the cores that {@code who} used, of {@code cores}; NaN if unknown
     * @param weight the CPU weight of the generator relative to its competitors; NaN if unknown
     */
    public void sharedCores(String who, int cores, String where, double busy, double used, double weight) {
        String full = busy >= SATURATED_PERCENT && !Double.isNaN(used)
                ? String.format(Locale.ROOT, ", busy for %.0f %% of the time; both used %.1f cores", busy, used)
                : "";
        caveats.add(SHARED_CORES, who, weight > 1 ? " (which has priority)" : "", cores, where, full);
    }

    public void tmpfs(String filesystem) {
        caveats.addIf(filesystem.equals("tmpfs"), "", DATA_ON_TMPFS);
    }

    /** {@code unlimited} is true if the brokers' disk limit does not apply to later writes of the kernel. */
    public void writeback(boolean unlimited) {
        caveats.addIf(unlimited, "", WRITEBACK_UNLIMITED);
    }

    /**
     * Compares the written bytes with the dirty memory at which the kernel blocks writers. {@code toDisk} is the rate
     * of writes to the disks meanwhile, in MiB/s.
     */
    public void pageCache(double bytes, double memoryAvailable, double toDisk) {
        if (bytes > 0 && bytes < CACHED_SHARE * memoryAvailable) {
            String reached = Double.isNaN(toDisk)
                    ? ""
                    : "; in the measured phase all programs together wrote " + NumberFormat.number(toDisk)
                            + " MiB/s to the disks";
            String written = NumberFormat.number(bytes / (1 << 20));
            caveats.add(PAGE_CACHE_ABSORBED_THE_WRITES, written, memoryAvailable / (1 << 20), reached);
        }
    }

    /** Compares the MiB that the load read with the MiB that all processes read from the disk. */
    public void readCache(double read, double fromDisk) {
        caveats.addIf(read > 0 && fromDisk < CACHED_SHARE * read, "", READ_FROM_THE_PAGE_CACHE, read, fromDisk);
    }

    /**
     * Checks that the backlog came from the disk, or from the page cache, as requested. {@code resident} is NaN if the
     * cache was not dropped.
     */
    public void cacheAsAsked(boolean cold, double resident, double read, double fromDisk) {
        if (cold && resident > CACHED_SHARE) {
            caveats.addAs("kept", CACHE_NOT_AS_ASKED, 100 * resident);
        } else if (cold ? fromDisk < CACHED_SHARE * read : fromDisk > CACHED_SHARE * read) {
            caveats.addAs("read", CACHE_NOT_AS_ASKED, cold ? "cold" : "warm", read, fromDisk);
        }
    }

    public void steal(String where, double percent) {
        if (percent > STEAL_PERCENT) {
            String whose = where.isEmpty() ? "this machine's CPU time" : "the CPU time" + where;
            caveats.addAs("steal", HOST_NOISY, percent, whose);
        }
    }

    /** Compares cores of user time. {@code ours} is of all processes of the trial; kernel time is excluded. */
    public void others(String where, double all, double ours, int cores) {
        caveats.addIf(all - ours > OTHERS_SHARE * cores, "others", HOST_NOISY, all - ours, cores, where);
    }

    /** Checks that a stress used the requested resources. A disk that is always busy cannot do more. */
    public void stress(DisturbanceResult disturbance) {
        StressResult stress = disturbance.stress();
        if (stress == null) {
            return;
        }
        List<String> missed = new ArrayList<>();
        StressResult.Taken memory = stress.memory();
        if (memory.missed(LEAST_MEMORY)) {
            missed.add("its goal was to hold " + size(memory.asked()) + ", and it held " + size(memory.taken()));
        }
        StressResult.Taken disk = stress.disk();
        double busy = Known.orZero(stress.diskBusy().during());
        if (disk.missed(LEAST_WRITTEN) && busy < BUSY_PERCENT) {
            missed.add(String.format(
                    Locale.ROOT,
                    "its goal was to write %s, and it wrote %s while the disk was busy for %.0f %% of the time",
                    size(disk.asked()),
                    size(disk.taken()),
                    busy));
        }
        StressResult.Taken cores = stress.cores();
        if (cores.missed(LEAST_CORES)) {
            missed.add("its goal was " + NumberFormat.number(Known.orZero(cores.asked())) + " busy cores, and it used "
                    + NumberFormat.number(Known.orZero(cores.taken())));
        }
        if (!missed.isEmpty()) {
            caveats.add(STRESS_MISSED, disturbance.name(), String.join("; ", missed));
        }
    }

    private static String size(@Nullable Double mebibytes) {
        return StressResult.size(Known.orZero(mebibytes));
    }

    public void memoryPressure(String where, double percent) {
        caveats.addIf(percent > MEMORY_PRESSURE_PERCENT, "memory", HOST_NOISY, percent, where);
    }

    /** Checks whether the speed of the cores varied, because a search then finds another maximum each time. */
    public static List<Caveat> unsteady(List<Canary> canaries) {
        CaveatCollector caveats = new CaveatCollector(null);
        canaries.stream()
                .filter(canary -> canary.name().equals(Canary.ALL_CORES) && canary.high() > UNSTEADY * canary.low())
                .max(Comparator.comparingDouble(Canary::noise))
                .ifPresent(canary -> caveats.addAs(
                        "unsteady",
                        HOST_NOISY,
                        NumberFormat.number(canary.low()),
                        NumberFormat.number(canary.high()),
                        canary.unit(),
                        NumberFormat.times(canary.high() / canary.low())));
        return caveats.found();
    }

    public static List<Caveat> drifted(List<CanaryResults.Pair> drifted) {
        if (drifted.isEmpty()) {
            return List.of();
        }
        List<String> changes = drifted.stream()
                .map(pair -> String.format(
                        Locale.ROOT,
                        "%s %s before, %s %s after",
                        pair.before().name(),
                        NumberFormat.number(pair.before().median()),
                        NumberFormat.number(pair.after().median()),
                        pair.after().unit()))
                .toList();
        CaveatCollector caveats = new CaveatCollector(null);
        caveats.addAs("drifted", HOST_NOISY, String.join("; ", changes));
        return caveats.found();
    }
}
