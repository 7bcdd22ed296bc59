package weir.judge.caveat;

import java.util.List;
import weir.judge.ProbeSeries;
import weir.judge.TrialFiles;
import weir.results.value.HostFacts;
import weir.results.value.StepResult;

/**
 * The readings of one machine of a trial, and of the workers there.
 *
 * @param workers the sources of their readings; one that stands for all where there is one machine
 * @param processes the workers there
 * @param where the machine, to stand behind those of whom something is said; empty where there is one
 */
record HostReadings(ProbeSeries readings, HostFacts host, List<String> workers, int processes, String where) {
    private static final String GENERATOR = "generator";

    HostReadings {
        workers = List.copyOf(workers);
    }

    /** Each machine of a trial, this one first. */
    static List<HostReadings> of(TrialFiles files) {
        int processes = files.plan().processes();
        boolean spread = files.conditions().spread();
        return files.conditions().hosts().stream()
                .map(host -> spread
                        ? new HostReadings(
                                files.readings(),
                                host,
                                host.workers().stream()
                                        .map(worker -> source(worker, processes))
                                        .toList(),
                                host.workers().size(),
                                host.here() ? " here" : " on " + host.name())
                        : new HostReadings(files.readings(), host, List.of(GENERATOR), processes, ""))
                .toList();
    }

    /** A worker that is alone has no number. */
    private static String source(int worker, int processes) {
        return processes == 1 ? GENERATOR : GENERATOR + "-" + (worker + 1);
    }

    /** True when load came from there. */
    boolean loads() {
        return processes > 0;
    }

    boolean has(int worker) {
        return host.workers().contains(worker);
    }

    /** The mean over its workers and seconds; NaN when nobody saw it. */
    double ofWorker(String metric, double from, double to) {
        return workers.stream()
                .mapToDouble(worker -> readings.mean(worker, metric, from, to))
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    double ofWorkers(String metric, double from, double to) {
        return processes * ofWorker(metric, from, to);
    }

    /**
     * Returns the maximum within steps: what a worker did in rests, where it collects its garbage, weakens nothing.
     */
    double highest(String metric, List<StepResult> steps) {
        return steps.stream()
                .flatMapToDouble(step -> workers.stream()
                        .mapToDouble(worker ->
                                readings.max(worker, metric, step.from(), step.from() + step.seconds() - 0.5)))
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
    }

    /** The mean of a reading of the machine itself. */
    double ofMachine(String metric, double from, double to) {
        return readings.mean(host.source(), metric, from, to);
    }
}
