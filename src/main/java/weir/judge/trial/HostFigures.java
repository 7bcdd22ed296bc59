package weir.judge.trial;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
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
    private static final String GENERATOR = "generator";
    private static final Set<String> OF_MACHINES = Set.of(BUSY, STOLEN, WAITING);

    public static boolean isPart(String source, String metric) {
        return HostFacts.isSource(source)
                ? OF_MACHINES.contains(metric)
                : source.startsWith(GENERATOR) && metric.equals(CLOCK_ERROR);
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
        HostReadings seen =
                new HostReadings(ProbeSeries.of(readings.get()), workers(folder, result), result.from(), result.to());
        return hosts.stream().map(host -> of(host, seen, result)).toList();
    }

    private record HostReadings(ProbeSeries readings, List<TrialEnd.WorkerLatency> workers, double from, double to) {
        @Nullable Double mean(HostFacts host, String metric) {
            return Known.of(readings.mean(host.source(), metric, from, to));
        }

        List<TrialEnd.WorkerLatency> of(HostFacts host) {
            return workers.stream()
                    .filter(worker -> host.workers().contains(worker.worker()))
                    .toList();
        }
    }

    private static HostFigures of(HostFacts host, HostReadings seen, TrialResult result) {
        long all = messages(seen.workers());
        Double share = all == 0 ? null : (double) messages(seen.of(host)) / all;
        Double acked = result.figures().ackedPerSecond();
        return new HostFigures(
                host,
                share == null || acked == null ? null : Double.valueOf(share * acked),
                share,
                seen.mean(host, BUSY),
                seen.mean(host, STOLEN),
                seen.mean(host, WAITING),
                Known.most(seen.of(host), worker -> worker.late().p99()),
                clockError(host, seen, result));
    }

    private static List<TrialEnd.WorkerLatency> workers(TrialFolder folder, TrialResult result) {
        TrialEnd end = folder.end();
        if (several(result)) {
            return end == null ? List.of() : end.measured().workers();
        }
        LatencyResult late = result.figures().late();
        return List.of(new TrialEnd.WorkerLatency(0, 0, late, result.figures().response()));
    }

    private static long messages(List<TrialEnd.WorkerLatency> workers) {
        return workers.stream().mapToLong(worker -> worker.response().count()).sum();
    }

    private static @Nullable Double clockError(HostFacts host, HostReadings seen, TrialResult result) {
        Stream<String> sources =
                host.workers().stream().map(worker -> several(result) ? GENERATOR + "-" + (worker + 1) : GENERATOR);
        DoubleStream errors =
                sources.mapToDouble(source -> seen.readings().max(source, CLOCK_ERROR, seen.from(), seen.to()));
        return Known.of(errors.filter(Double::isFinite).max().orElse(Double.NaN));
    }

    private static boolean several(TrialResult result) {
        return Objects.requireNonNullElse(result.generator().workers(), 1) > 1;
    }
}
