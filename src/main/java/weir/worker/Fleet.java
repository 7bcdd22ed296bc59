package weir.worker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import weir.host.Children;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.probe.Footprint;
import weir.time.DaemonThreads;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** One or more processes that generate one load together and act as one worker. */
public final class Fleet implements Worker {
    private final List<LinkedWorker> workers;
    private Map<String, Long> reached = Map.of();

    /** The time in which all workers receive a phase before its common start, even on a busy machine. */
    private static final long NOTICE_NANOS = 700_000_000;

    private static final long NOTICE_OF_ONE_NANOS = 100_000_000;

    /** The limit of workers that close in parallel, because a close may wait for a worker that hangs. */
    private static final int CLOSERS = 32;

    /** The limit of ledgers in memory at once: after a long load with many readers, one may have 100 MB. */
    private static final int LEDGERS = 8;

    private Fleet(List<LinkedWorker> workers) {
        this.workers = workers;
    }

    public static Worker of(List<LinkedWorker> workers) {
        return new Fleet(List.copyOf(workers));
    }

    public interface Starter {
        LinkedWorker start(int number, Path log, LoadListener listener);
    }

    public static Worker start(Children children, WorkerJvm jvm, int workers, Path folder, LoadListener listener) {
        return start(
                workers,
                folder,
                listener,
                (number, log, receiver) -> LocalWorker.start(children, jvm, "worker", log, receiver)
                        .worker());
    }

    public static Worker start(int workers, Path folder, LoadListener listener, Starter starter) {
        boolean one = workers == 1;
        MergedListener merged = new MergedListener(listener, workers);
        List<LinkedWorker> started = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) {
                Path log = folder.resolve(one ? "worker.log" : "worker-" + (i + 1) + ".log");
                started.add(starter.start(i, log, one ? listener : merged.part(i)));
            }
        } catch (RuntimeException | Error e) {
            of(started).close();
            throw e;
        }
        return of(started);
    }

    @Override
    public List<Long> pids() {
        return workers.stream().flatMap(worker -> worker.pids().stream()).toList();
    }

    @Override
    public Footprint footprint() {
        return LinkedWorker.answers(workers, LinkedWorker::footprint).stream()
                .reduce(Footprint::plus)
                .orElseThrow();
    }

    @Override
    public List<String> prepare(Assignment assignment) {
        int all = workers.size();
        // The first worker sets the group's start offsets, because Kafka refuses them for a group with members.
        List<LinkMessages.Prepared> prepared = new ArrayList<>();
        for (List<LinkedWorker> some : List.of(workers.subList(0, 1), workers.subList(1, all))) {
            prepared.addAll(
                    LinkedWorker.answers(some, worker -> worker.prepare(assignment.of(workers.indexOf(worker), all))));
        }
        return prepared.stream().flatMap(one -> one.notes().stream()).distinct().toList();
    }

    @Override
    public PhaseTimes run(LoadPhase phase, LongConsumer begins) {
        long startNanos = workers.get(0).nextStart(workers.size() == 1 ? NOTICE_OF_ONE_NANOS : NOTICE_NANOS);
        begins.accept(startNanos);
        List<PhaseTimes> ends = LinkedWorker.answers(workers, worker -> worker.run(phase, startNanos));
        boolean together =
                ends.stream().allMatch(end -> end.startNanos() == ends.get(0).startNanos());
        if (!together && phase != LoadPhase.FILL) {
            throw new WorkerFailed(
                    "the workers did not start together, because this machine is too busy; use fewer workers");
        }
        long endNanos = ends.stream().mapToLong(PhaseTimes::endNanos).max().orElseThrow();
        boolean stopped = ends.stream().anyMatch(PhaseTimes::stopped);
        // All workers have the same steps. If operations end a load, the slowest worker ends its last step.
        List<PhaseTimes.Step> steps = new ArrayList<>(ends.get(0).steps());
        for (PhaseTimes end : ends) {
            for (int i = 0; i < Math.min(steps.size(), end.steps().size()); i++) {
                PhaseTimes.Step step = end.steps().get(i);
                steps.set(i, step.endNanos() > steps.get(i).endNanos() ? step : steps.get(i));
            }
        }
        List<PhaseTimes.Rest> rests =
                ends.stream().flatMap(end -> end.rests().stream()).toList();
        return new PhaseTimes(ends.get(0).startNanos(), endNanos, stopped, steps, rests);
    }

    @Override
    public void stop() {
        workers.forEach(LinkedWorker::stop);
    }

    @Override
    public boolean drain(Duration limit) {
        TimeLimit deadline = MachineClock.within(limit);
        // The end of the log is known only after the last producer of all workers is closed.
        List<Long> unresolved = LinkedWorker.answers(workers, worker -> worker.finishSending(limit));
        Duration rest = deadline.left();
        List<LinkMessages.Read> read = LinkedWorker.answers(workers, worker -> worker.finishReading(rest));
        Map<String, Long> furthest = new TreeMap<>();
        read.forEach(one -> one.positions().forEach((partition, at) -> furthest.merge(partition, at, Math::max)));
        reached = furthest;
        return unresolved.stream().allMatch(one -> one == 0) && read.stream().allMatch(one -> one.unread() == 0);
    }

    @Override
    public void verify(Duration limit) {
        var unused = LinkedWorker.answers(workers, worker -> worker.verify(limit, reached));
    }

    @Override
    public Finished finish() {
        LedgerSum sum = new LedgerSum();
        List<LinkMessages.End> ends = new ArrayList<>();
        for (int from = 0; from < workers.size(); from += LEDGERS) {
            List<LinkedWorker> some = workers.subList(from, Math.min(workers.size(), from + LEDGERS));
            ends.addAll(LinkedWorker.answers(some, worker -> worker.finish(sum::add)));
        }
        LinkMessages.End first = ends.get(0);
        SortedMap<String, String> jvm = new TreeMap<>(first.jvm());
        if (workers.size() > 1) {
            jvm.put("workers", String.valueOf(workers.size()));
        }
        return new Finished(sum.whole(), first.properties(), jvm, first.metrics());
    }

    private static final class LedgerSum {
        private @Nullable Ledger sum;

        synchronized void add(Ledger one) {
            sum = sum == null ? one : sum.with(one);
        }

        synchronized Ledger whole() {
            return Objects.requireNonNull(sum);
        }
    }

    @Override
    public void close() {
        ExecutorService closers = Executors.newFixedThreadPool(CLOSERS, DaemonThreads.named("weir-fleet-close"));
        try {
            CompletableFuture.allOf(workers.stream()
                            .map(worker -> CompletableFuture.runAsync(worker::close, closers))
                            .toArray(CompletableFuture<?>[]::new))
                    .join();
        } finally {
            closers.shutdown();
        }
    }

    /**
     * A listener to several workers that act as one. A worker's readings of itself keep its number, from 1. Reader lag
     * is summed after every worker has reported it. Common facts come from the first worker.
     */
    static final class MergedListener {
        private static final Set<String> LAG = Set.of("lag.records", "lag.records.max", "lag.seconds");

        private final LoadListener out;
        private final int workers;
        private final Map<Place, Sum> open = new HashMap<>();

        private record Place(double second, String metric) {}

        private record Sum(int parts, double value) {}

        MergedListener(LoadListener out, int workers) {
            this.out = out;
            this.workers = workers;
        }

        LoadListener part(int worker) {
            return new LoadListener() {
                @Override
                public void window(Snapshot snapshot) {
                    out.window(worker, snapshot);
                }

                @Override
                public void reading(Reading reading) {
                    forward(worker, reading);
                }

                @Override
                public void event(String text) {
                    out.event("worker " + (worker + 1) + ": " + text);
                }
            };
        }

        private void forward(int worker, Reading reading) {
            if (reading.source().equals("readers") && LAG.contains(reading.metric())) {
                together(reading);
            } else if (!reading.source().equals("transactions")) {
                String source = reading.source() + "-" + (worker + 1);
                out.reading(new Reading(reading.second(), source, reading.metric(), reading.value()));
            } else if (worker == 0) {
                out.reading(reading);
            }
        }

        // A second without one worker's reading is not reported, because the sum would be too low.
        private synchronized void together(Reading one) {
            boolean adds = one.metric().equals("lag.records");
            Place at = new Place(one.second(), one.metric());
            Sum sum = open.merge(
                    at,
                    new Sum(1, one.value()),
                    (before, more) -> new Sum(
                            before.parts + 1, adds ? before.value + more.value : Math.max(before.value, more.value)));
            if (sum.parts == workers) {
                open.keySet().removeIf(place -> place.metric.equals(at.metric) && place.second <= at.second);
                out.reading(new Reading(at.second, one.source(), at.metric, sum.value));
            }
        }
    }
}
