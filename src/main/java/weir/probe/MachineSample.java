package weir.probe;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import weir.host.kernel.KernelFiles;
import weir.measure.Canary;
import weir.measure.Percentile;
import weir.probe.HostProbes.HostCpu;
import weir.probe.HostProbes.Pressure;
import weir.time.MachineClock;

/** A sample of this machine over some seconds without processes of Weir, for the judgement of {@link MachineCheck}. */
public final class MachineSample {
    private static final long WATCHED_NANOS = 1_000_000_000L;
    private static final int SLEEPS = 1_000;
    private static final long SLEEP_NANOS = 100_000;
    private static final int CLOCK_READS = 200_000;

    private final LongSupplier clock = MachineClock.STEADY;
    private final KernelFiles files;
    private final Map<String, Double> figures = new HashMap<>();

    private MachineSample(KernelFiles files) {
        this.files = files;
    }

    /**
     * Samples the machine with the disk behind a folder.
     *
     * @param sleepUntil waits for a time of the machine's clock as load generators do; returns the time after
     */
    public static MachineCheck at(Path folder, List<Canary> canaries, LongUnaryOperator sleepUntil) throws IOException {
        MachineSample look = new MachineSample(KernelFiles.LIVE);
        look.now(sleepUntil);
        look.clock();
        look.sleeps(sleepUntil);
        look.limits();
        look.disk(Files.getFileStore(folder));
        look.canaries(canaries);
        return new MachineCheck(MachineFacts.of(folder), look.figures);
    }

    private void now(LongUnaryOperator sleepUntil) {
        Readings meter = new Readings("host");
        List<Probe> probes = List.of(new HostCpu(files), Pressure.ofHost(files));
        long start = clock.getAsLong();
        meter.begin(0, start);
        probes.forEach(probe -> probe.sample(meter));
        meter.begin(1, sleepUntil.applyAsLong(start + WATCHED_NANOS));
        probes.forEach(probe -> probe.sample(meter));
        meter.readings().forEach(reading -> figures.put(reading.metric(), reading.value()));
    }

    private void clock() {
        long start = clock.getAsLong();
        long now = start;
        for (int i = 0; i < CLOCK_READS; i++) {
            now = clock.getAsLong();
        }
        figures.put("clock.read.ns", (double) (now - start) / CLOCK_READS);
    }

    private void sleeps(LongUnaryOperator sleepUntil) {
        double[] late = new double[SLEEPS];
        for (int i = 0; i < SLEEPS; i++) {
            long due = clock.getAsLong() + SLEEP_NANOS;
            late[i] = (sleepUntil.applyAsLong(due) - due) / 1e3;
        }
        Arrays.sort(late);
        figures.put("sleep.late.p50.micros", Percentile.of(50, late));
        figures.put("sleep.late.p99.micros", Percentile.of(99, late));
    }

    private void limits() throws IOException {
        figures.put("cpu.usable", (double) Runtime.getRuntime().availableProcessors());
        if (files.has("/proc/self/limits")) {
            files.lines("/proc/self/limits").stream()
                    .filter(line -> line.startsWith("Max open files"))
                    .map(line -> KernelFiles.words(line.substring("Max open files".length()))[0])
                    .filter(word -> word.matches("\\d{1,15}"))
                    .forEach(word -> figures.put("limit.files", KernelFiles.number(word)));
        }
        if (files.has("/proc/meminfo")) {
            Map<String, Long> memory = files.table("/proc/meminfo");
            put("memory.available.mib", memory.get("MemAvailable"));
            put("swap.mib", memory.get("SwapTotal"));
        }
    }

    private void put(String name, @Nullable Long kibibytes) {
        if (kibibytes != null) {
            figures.put(name, kibibytes / 1024.0);
        }
    }

    private void disk(FileStore store) throws IOException {
        figures.put("disk.free.gib", store.getUsableSpace() / (double) (1 << 30));
        if (store.getTotalSpace() > 0) {
            figures.put("disk.free.percent", 100.0 * store.getUsableSpace() / store.getTotalSpace());
        }
    }

    private void canaries(List<Canary> canaries) {
        Map<String, Double> medians = new HashMap<>();
        canaries.forEach(canary -> medians.put(canary.name(), canary.median()));
        CanaryBenchmarks.FIGURES.forEach((name, figure) -> {
            Double median = medians.get(name);
            if (median != null) {
                figures.put(figure, median);
            }
        });
        Double one = medians.get(CanaryBenchmarks.ONE_CORE);
        Double all = medians.get(Canary.ALL_CORES);
        if (one != null && all != null) {
            figures.put("canary.cpu.scaling", all / one);
        }
    }
}
