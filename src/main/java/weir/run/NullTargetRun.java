package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import weir.cluster.Cluster;
import weir.cluster.admin.Topics;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Series;
import weir.measure.Snapshot;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.plan.trial.Trial;
import weir.run.lab.Lab;
import weir.time.TimeLimit;
import weir.worker.Bridge;
import weir.worker.LoadPhase;
import weir.worker.Worker;
import weir.worker.WorkerListener;

/** Lets a sending side run alone, against a sink that only acknowledges. */
record NullTargetRun(Experiment experiment, Path folder, Lab lab) {
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;

    /**
     * The observations of the sending side.
     *
     * @param cores the cores that each of its processes used on average
     */
    record Seen(PhaseTimes measured, Windows windows, long originNanos, double cores) {
        /** Whatever else the machine does can only make a second look worse: the best one is nearest to the truth. */
        double bestSecond() {
            return windows.best(measured, originNanos);
        }

        Numbers step(int step) {
            return windows.series.total(step);
        }
    }

    Seen run(Variant sending) throws IOException {
        Files.createDirectories(folder);
        Trial trial = new Trial(1, sending, 1);
        Windows windows = new Windows();
        long originNanos = lab.nanos();
        try (Cluster sink = lab.sink(folder);
                Topics topics = lab.topics(sink, name -> name)) {
            AssignmentFactory assignments = new AssignmentFactory(experiment, trial, sink, 0);
            topics.create(assignments.topics());
            try (Bridge bridge = bridge(sending);
                    Worker worker = lab.worker(
                            PlacedSpec.HERE,
                            assignments.jvm(),
                            sending.load().processes(),
                            folder,
                            TimeLimit.NEVER,
                            windows)) {
                var unused = worker.prepare(assignments.assignment(topics, originNanos, bridge));
                worker.run(LoadPhase.WARMUP);
                double before = worker.footprint().cpuSeconds();
                PhaseTimes measured = worker.run(LoadPhase.MEASURE);
                double used = worker.footprint().cpuSeconds() - before;
                worker.drain(DRAIN);
                worker.finish();
                double seconds = (measured.endNanos() - measured.startNanos()) / (double) SECOND;
                return new Seen(
                        measured,
                        windows,
                        originNanos,
                        used / seconds / sending.load().processes());
            }
        }
    }

    private Bridge bridge(Variant sending) {
        return sending.load().producers().engine() == LoadSpec.Engine.HTTP
                ? lab.httpSink(folder)
                : new GivenBridge(List.of(), "");
    }

    /** The counts of what was acked in each second, and in each step. */
    private static final class Windows implements WorkerListener {
        private final Map<Long, Long> acked = new HashMap<>();
        private final Series series = new Series();

        @Override
        public synchronized void window(Snapshot snapshot) {
            acked.merge(snapshot.index(), snapshot.all().acked(), Long::sum);
            series.add(snapshot);
            var unused = series.take(Long.MAX_VALUE);
        }

        @Override
        public void reading(long second, String source, String metric, double value) {
            // There are no probes here.
        }

        @Override
        public void event(String text) {
            // What clients say about themselves is said in the trials too.
        }

        synchronized double best(PhaseTimes measured, long originNanos) {
            long first = (measured.startNanos() - originNanos + SECOND - 1) / SECOND;
            long end = (measured.endNanos() - originNanos) / SECOND;
            return LongStream.range(first, end)
                    .map(second -> acked.getOrDefault(second, 0L))
                    .max()
                    .orElse(0);
        }
    }
}
