package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import weir.cluster.NullCluster;
import weir.cluster.Topics;
import weir.host.Children;
import weir.measure.Snapshot;
import weir.plan.Experiment;
import weir.plan.FullSpeed;
import weir.plan.Trial;
import weir.plan.Variant;
import weir.results.Written;
import weir.worker.LocalWorker;
import weir.worker.Stage;
import weir.worker.StageEnd;
import weir.worker.Worker;
import weir.worker.WorkerListener;

/**
 * What each sending side of a run can send on this machine when nothing holds it back: found once, before any broker of
 * the run is there to take CPU from it.
 */
final class Ceilings {
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final long SECOND = 1_000_000_000L;

    private final Experiment experiment;
    private final Path folder;
    private final Children children;
    private final RunListener listener;
    private final BooleanSupplier interrupted;
    private final Map<String, Ceiling> found = new HashMap<>();

    /**
     * Records per second.
     *
     * @param note why there is none, or what of it is different from the trials; empty where there is nothing to say
     */
    record Ceiling(@Nullable Double perSecond, String note) {}

    Ceilings(Experiment experiment, Path run, Children children, RunListener listener, BooleanSupplier interrupted) {
        this.experiment = experiment;
        this.folder = run.resolve("ceiling");
        this.children = children;
        this.listener = listener;
        this.interrupted = interrupted;
    }

    /** The first question finds the answers for all variants. */
    Ceiling of(Variant variant) {
        if (found.isEmpty()) {
            Map<SortedMap<String, String>, Ceiling> same = new HashMap<>();
            for (Variant each : experiment.variants()) {
                String none = FullSpeed.none(experiment, each);
                Ceiling ceiling = none.isEmpty()
                        ? same.computeIfAbsent(FullSpeed.sameness(each), values -> measure(each))
                        : new Ceiling(null, none);
                found.put(each.name(), ceiling);
            }
        }
        return found.getOrDefault(variant.name(), new Ceiling(null, ""));
    }

    private Ceiling measure(Variant variant) {
        if (interrupted.getAsBoolean()) {
            return new Ceiling(null, "interrupted");
        }
        String of = variant.load().send().name().toLowerCase(Locale.ROOT);
        listener.note("what the " + of + " engine can send here, against a null target");
        try {
            double perSecond = sent(FullSpeed.of(variant));
            listener.note("  " + Written.rate(perSecond));
            return new Ceiling(perSecond, FullSpeed.without(variant));
        } catch (IOException | RuntimeException e) {
            // Its figure is missing and says so; whatever keeps a trial itself from running will end that.
            listener.note("  not known: " + e.getMessage());
            return new Ceiling(null, "it could not be measured: " + e.getMessage());
        }
    }

    private double sent(Variant fullSpeed) throws IOException {
        Files.createDirectories(folder);
        Trial trial = new Trial(1, fullSpeed, 1);
        Seen seen = new Seen();
        long originNanos = System.nanoTime();
        try (NullCluster sink = NullCluster.start(children, folder);
                Topics topics = Topics.on(sink, name -> name, children.journal())) {
            Briefing briefing = new Briefing(experiment, trial, sink, 0);
            topics.create(briefing.topics());
            try (Worker worker = LocalWorker.start(children, briefing.jvm(), folder.resolve("worker.log"), seen)) {
                var unused = worker.prepare(briefing.assignment(topics, originNanos));
                worker.run(Stage.WARMUP);
                StageEnd measured = worker.run(Stage.MEASURE);
                worker.drain(DRAIN);
                worker.finish();
                return seen.best(measured, originNanos);
            }
        }
    }

    /** What was acked in each second. */
    private static final class Seen implements WorkerListener {
        private final Map<Long, Long> acked = new HashMap<>();

        @Override
        public synchronized void window(Snapshot snapshot) {
            acked.merge(snapshot.index(), snapshot.all().acked(), Long::sum);
        }

        @Override
        public void reading(long second, String source, String metric, double value) {
            // A ceiling has no probes.
        }

        @Override
        public void event(String text) {
            // What clients say about themselves is said in the trials too.
        }

        // Whatever else the machine does can only make a second look worse: the best one is nearest to the truth.
        synchronized double best(StageEnd measured, long originNanos) {
            long first = (measured.startNanos() - originNanos + SECOND - 1) / SECOND;
            long end = (measured.endNanos() - originNanos) / SECOND;
            return LongStream.range(first, end)
                    .map(second -> acked.getOrDefault(second, 0L))
                    .max()
                    .orElse(0);
        }
    }
}
