package weir.judge.trial;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.caveat.TrialCaveats.HostReadings;
import weir.measure.Known;
import weir.measure.Reading;
import weir.results.TrialFolder;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/**
 * The figures of one machine in a trial with several machines. A figure without a reading is null.
 *
 * @param perSecond acked messages of the machine per second of the measured phase
 * @param busy percent of CPU time that the machine used; {@code stolen} is the percent that other machines took
 * @param waiting percent of the time in which a process waited for a CPU
 * @param late the highest p99 lateness of all workers and steps, in milliseconds
 * @param clockError the largest error of the workers' clocks, in milliseconds; null for workers with the run's clock
 */
public record HostFigures(
        HostFacts host,
        @Nullable Double perSecond,
        @Nullable Double share,
        @Nullable Double busy,
        @Nullable Double stolen,
        @Nullable Double waiting,
        @Nullable Double late,
        @Nullable Double clockError) {
    private static final String BUSY = "cpu.busy.percent";
    private static final String STOLEN = "cpu.steal.percent";
    private static final String WAITING = "psi.cpu.some.percent";
    private static final String CLOCK_ERROR = "clock.error.ms";
    private static final Set<String> OF_MACHINES = Set.of(BUSY, STOLEN, WAITING);

    public static boolean isPart(String source, String metric) {
        return HostFacts.isSource(source)
                ? OF_MACHINES.contains(metric)
                : source.startsWith(HostReadings.GENERATOR) && metric.equals(CLOCK_ERROR);
    }

    /**
     * A row for each machine of a trial; none for a single machine.
     *
     * @param readings at least those for which {@link #isPart} is true; requested only for several machines
     */
    public static List<HostFigures> of(TrialFolder folder, TrialResult result, Supplier<List<Reading>> readings) {
        List<HostFacts> hosts = folder.conditions().hosts();
        if (hosts.size() < 2 || result.steps().isEmpty()) {
            return List.of();
        }
        int processes = Objects.requireNonNullElse(result.generator().workers(), 1);
        List<TrialEnd.WorkerLatency> workers = workers(folder, result, processes);
        return HostReadings.of(ProbeSeries.of(readings.get()), hosts, processes).stream()
                .map(seen -> of(seen, workers, result))
                .toList();
    }

    private static HostFigures of(HostReadings seen, List<TrialEnd.WorkerLatency> workers, TrialResult result) {
        List<TrialEnd.WorkerLatency> own = workers.stream()
                .filter(worker -> seen.host().workers().contains(worker.worker()))
                .toList();
        long all = messages(workers);
        Double share = all == 0 ? null : (double) messages(own) / all;
        Double acked = result.figures().ackedPerSecond();
        return new HostFigures(
                seen.host(),
                share == null || acked == null ? null : Double.valueOf(share * acked),
                share,
                Known.of(seen.ofMachine(BUSY, result.from(), result.to())),
                Known.of(seen.ofMachine(STOLEN, result.from(), result.to())),
                Known.of(seen.ofMachine(WAITING, result.from(), result.to())),
                Known.most(own, worker -> worker.late().p99()),
                Known.of(seen.highest(CLOCK_ERROR, result.from(), result.to())));
    }

    private static List<TrialEnd.WorkerLatency> workers(TrialFolder folder, TrialResult result, int processes) {
        TrialEnd end = folder.end();
        if (processes > 1) {
            return end == null ? List.of() : end.measured().workers();
        }
        LatencyResult late = result.figures().late();
        return List.of(new TrialEnd.WorkerLatency(0, 0, late, result.figures().response()));
    }

    private static long messages(List<TrialEnd.WorkerLatency> workers) {
        return workers.stream().mapToLong(worker -> worker.response().count()).sum();
    }
}
