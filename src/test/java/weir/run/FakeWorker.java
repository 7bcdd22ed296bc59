package weir.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.PhaseTimes;
import weir.measure.ReadLedger;
import weir.measure.Recorder;
import weir.measure.SentLedger;
import weir.measure.Steps;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.trial.Demand;
import weir.probe.Footprint;
import weir.worker.Assignment;
import weir.worker.Finished;
import weir.worker.LoadPhase;
import weir.worker.Worker;

/**
 * A worker that plays a load on the clock of its lab. Each tenth of a second it sends the due records. The lab's
 * capacity limits the acks, each at least {@link #LEAST} after its due time.
 */
final class FakeWorker implements Worker {
    private static final long SLICE = FakeLab.SECOND / 10;
    private static final long LEAST = 2_000_000;
    private static final int BYTES = 100;

    private final FakeLab lab;
    private final LoadListener listener;
    private final Ledger ledger = new Ledger(List.of("events-0"));
    private final SentLedger sender = ledger.sender(0);
    private final ReadLedger reader = ledger.reader();
    private final Deque<Sent> waiting = new ArrayDeque<>();
    private Recorder recorder = new Recorder(0, FakeLab.SECOND, Integer.MAX_VALUE, window -> {});
    private @Nullable Variant told;
    private int trial;
    /** With a null target, nothing limits or disturbs the load. */
    private boolean sinks;

    private long originNanos;
    private List<Steps.Part> parts = List.of();
    private long measuredNanos;
    private long second;
    private double budget;
    private long read;
    private volatile boolean stopped;

    /** Records in flight, in the order of their sequence numbers. */
    private record Sent(int step, long dueNanos, long first, int count) {}

    FakeWorker(FakeLab lab, LoadListener listener) {
        this.lab = lab;
        this.listener = listener;
    }

    @Override
    public List<Long> pids() {
        // Before its first answer, the worker may still be starting, and no test needs its process.
        return told == null ? List.of() : List.of(1L);
    }

    @Override
    public Footprint footprint() {
        return lab.footprint();
    }

    @Override
    public List<String> prepare(Assignment assignment) {
        told = assignment.variant();
        trial = assignment.trial();
        originNanos = assignment.originNanos();
        parts = assignment.parts().parts();
        sinks = FakeLab.SINK.equals(assignment.client().get("bootstrap.servers"));
        recorder = new Recorder(originNanos, FakeLab.SECOND, Integer.MAX_VALUE, listener::window);
        lab.happens(trial, 0);
        return List.of();
    }

    /** A period at one rate. */
    private record Stretch(double perSecond, long nanos, String label) {}

    private List<Stretch> stretches(LoadPhase phase) {
        Variant variant = variant();
        RateSpec rate = variant.load().rate();
        if (phase == LoadPhase.WARMUP) {
            RateSpec warming = variant.warmup().rate(rate);
            return List.of(
                    new Stretch(perSecond(warming), variant.warmup().length().toNanos(), "warm-up"));
        }
        if (rate instanceof RateSpec.Steps steps) {
            return steps.steps().stream()
                    .map(step -> new Stretch(
                            variant.load().senders().operations(step.rate(), step.perProducer())
                                    * Demand.records(variant),
                            step.length().toNanos(),
                            step.rate().text()))
                    .toList();
        }
        long nanos = variant.measure().length().toNanos();
        return List.of(new Stretch(perSecond(rate), nanos, "measure"));
    }

    private Variant variant() {
        return Objects.requireNonNull(told);
    }

    private double perSecond(RateSpec rate) {
        Variant variant = variant();
        List<RateSpec.Part> parts = rate.parts(variant.load().senders());
        return parts.isEmpty() ? capacity() : parts.get(0).perSecond() * Demand.records(variant);
    }

    private double capacity() {
        int partitions = variant().usedTopics().values().stream()
                .mapToInt(TopicSpec::partitions)
                .sum();
        return lab.capacity * Math.min(lab.adding, partitions) * lab.factor.applyAsDouble(variant());
    }

    /** Runs a phase that only reads: all records were written before, and are read at full speed. */
    private PhaseTimes read(LoadPhase phase) {
        long startNanos = lab.nanos();
        int records = (int) ((MeasureSpec.Operations) variant().measure()).operations();
        if (phase == LoadPhase.FILL) {
            sender.due(Steps.FILL, records);
            sender.acked(sender.next(Steps.FILL, records), records);
            lab.passes(startNanos + FakeLab.SECOND);
        } else {
            while (read < records && !stopped && lab.reading > 0) {
                long now = lab.nanos();
                int count = (int) Math.min(records - read, Math.round(lab.reading * SLICE / FakeLab.SECOND));
                reader.received(0, read, 0, read, count);
                recorder.received(Steps.MEASURE, count, now, now + LEAST, (long) count * BYTES);
                recorder.receivedDuring(Steps.MEASURE, count, now + LEAST, (long) count * BYTES);
                read += count;
                lab.passes(now + SLICE * count / Math.max(1, Math.round(lab.reading * SLICE / FakeLab.SECOND)));
            }
            recorder.tick(lab.nanos());
            second++;
            lab.second(trial, second);
        }
        int step = phase == LoadPhase.FILL ? Steps.FILL : Steps.MEASURE;
        List<PhaseTimes.Step> steps = List.of(new PhaseTimes.Step(step, startNanos, lab.nanos(), phase.name()));
        return new PhaseTimes(startNanos, lab.nanos(), stopped, steps, List.of());
    }

    @Override
    public PhaseTimes run(LoadPhase phase, LongConsumer begins) {
        lab.passes(originNanos + (lab.nanos() - originNanos + FakeLab.SECOND - 1) / FakeLab.SECOND * FakeLab.SECOND);
        long startNanos = lab.nanos();
        begins.accept(startNanos);
        measuredNanos = startNanos;
        if (variant().load().workload() == LoadSpec.Workload.CONSUME) {
            return read(phase);
        }
        List<PhaseTimes.Step> steps = new ArrayList<>();
        int step = phase == LoadPhase.WARMUP ? Steps.WARMUP : Steps.MEASURE;
        boolean cut = stopped;
        for (Stretch stretch : stretches(phase)) {
            if (!steps.isEmpty() && cut) {
                break;
            }
            long from = lab.nanos();
            while (!stopped && lab.nanos() < from + stretch.nanos()) {
                slice(part(step), stretch.perSecond());
            }
            cut |= stopped;
            steps.add(new PhaseTimes.Step(step++, from, lab.nanos(), stretch.label()));
        }
        stopped = false;
        return new PhaseTimes(startNanos, lab.nanos(), cut, steps, List.of());
    }

    /** The part of this step that runs now. */
    private int part(int step) {
        long since = lab.nanos() - measuredNanos;
        return step < Steps.MEASURE
                ? step
                : IntStream.range(0, parts.size())
                        .filter(i -> since >= parts.get(i).startNanos()
                                && since < parts.get(i).endNanos())
                        .map(i -> Steps.MEASURE + i)
                        .findFirst()
                        .orElse(step);
    }

    private void slice(int step, double perSecond) {
        long now = lab.nanos();
        int count = (int) Math.round(perSecond * SLICE / FakeLab.SECOND);
        if (count > 0) {
            long first = sender.next(step, count);
            sender.due(step, count);
            recorder.due(step, now, count);
            long due = sinks || step < Steps.MEASURE ? now : now - lab.late.toNanos();
            recorder.sent(step, count, count, due, now, now, 0, (long) count * BYTES);
            waiting.add(new Sent(step, due, first, count));
        }
        lab.passes(now + SLICE);
        serve(step, SLICE);
        if ((lab.nanos() - originNanos) % FakeLab.SECOND == 0) {
            recorder.tick(lab.nanos());
            second++;
            if (!sinks) {
                lab.second(trial, second);
            }
        }
    }

    /** Acknowledges the records that the cluster accepts in this time; {@code during} is the running step. */
    private void serve(int during, long nanos) {
        budget += (sinks ? 1e9 : capacity()) * nanos / FakeLab.SECOND;
        while (!waiting.isEmpty() && budget >= 1) {
            Sent sent = waiting.remove();
            int count = (int) Math.min(budget, sent.count());
            if (count < sent.count()) {
                waiting.addFirst(new Sent(sent.step(), sent.dueNanos(), sent.first() + count, sent.count() - count));
            }
            budget -= count;
            // Messages of the last tenth of a second were not late. Messages that waited longer are answered now.
            long acked = Math.max(sent.dueNanos() + LEAST, lab.nanos() - SLICE);
            sender.acked(sent.first(), count);
            recorder.acked(sent.step(), count, count, sent.dueNanos(), sent.dueNanos(), acked, (long) count * BYTES);
            recorder.ackedDuring(during, count, count, acked, (long) count * BYTES);
            receive(sent, count, acked, during);
        }
        if (waiting.isEmpty()) {
            budget = 0;
        }
    }

    private void receive(Sent sent, int count, long nanos, int during) {
        int there = count - (sinks ? 0 : Math.min(count, lab.loses));
        lab.loses -= count - there;
        if (there > 0) {
            reader.received(0, read, 0, sent.first(), there);
            recorder.received(sent.step(), there, sent.dueNanos(), nanos, (long) there * BYTES);
            recorder.receivedDuring(during, there, nanos, (long) there * BYTES);
        }
        read += there;
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean drain(Duration limit) {
        lab.drained = limit;
        long deadline = lab.nanos() + limit.toNanos();
        while (!waiting.isEmpty() && lab.nanos() < deadline) {
            lab.passes(lab.nanos() + SLICE);
            serve(Steps.FILL, SLICE);
        }
        for (Sent sent : waiting) {
            sender.unresolved(sent.first(), sent.count());
            recorder.unresolved(sent.step(), sent.count(), sent.count(), sent.dueNanos(), sent.dueNanos(), lab.nanos());
        }
        recorder.close();
        return waiting.isEmpty();
    }

    @Override
    public void verify(Duration limit) {
        // The reader was there all the time.
        lab.verified = true;
    }

    @Override
    public Finished finish() {
        reader.position(0, read);
        reader.handOver();
        ledger.end(0, read);
        return new Finished(ledger, List.of(), new TreeMap<>(Map.of("trial", String.valueOf(trial))), new TreeMap<>());
    }

    @Override
    public void close() {
        // There is no process.
    }
}
