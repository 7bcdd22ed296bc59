package weir.real;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import weir.cluster.Cluster;
import weir.cluster.admin.TrialTopics;
import weir.host.Journal;
import weir.load.Load;
import weir.load.LoadPlan;
import weir.load.LoadPlans;
import weir.load.engine.Engine;
import weir.load.message.Payloads;
import weir.load.read.ReaderActivity;
import weir.measure.Ledger;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.PhaseTimes;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Variant;
import weir.plan.Verify;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** A load that runs within this JVM from end to end, and its outcome. */
public final class Carried implements LoadListener {
    static final long ORIGIN = System.nanoTime();
    static final int RUN_TAG = 0x77656972;
    private static final AtomicInteger TRIALS = new AtomicInteger();

    final SortedMap<Long, Snapshot> windows = new TreeMap<>();
    public final List<String> readings = new ArrayList<>();
    final List<Reading> ofReaders = new ArrayList<>();
    public final List<String> events = new ArrayList<>();
    PhaseTimes measured = new PhaseTimes(0, 0, false, List.of(), List.of());
    public Ledger ledger = new Ledger(List.of());
    List<String> notes = List.of();
    long unresolved;
    long unread;
    long endOffsets;

    public interface Engines {
        Engine engine(Variant variant, Cluster cluster, List<String> topics, String group, Consumer<String> events);
    }

    /**
     * {@code during} runs on another thread once the measured stage has begun. {@code after} gets the names of the
     * topics before their deletion.
     */
    public static Carried load(
            Cluster cluster,
            Path folder,
            Engines engines,
            String yaml,
            Consumer<Load> during,
            Consumer<List<String>> after)
            throws Exception {
        Carried carried = new Carried();
        carried.carry(cluster, folder, engines, yaml, during, after);
        return carried;
    }

    static Variant variant(Path folder, String yaml) throws IOException {
        Path file = folder.resolve("load-" + TRIALS.incrementAndGet() + ".yaml");
        Files.writeString(file, "name: carried\n" + yaml);
        return PlanReader.read(file, Overrides.NONE).variants().get(0);
    }

    void carry(
            Cluster cluster,
            Path folder,
            Engines engines,
            String yaml,
            Consumer<Load> during,
            Consumer<List<String>> after)
            throws Exception {
        Variant variant = variant(folder, yaml);
        int trial = TRIALS.incrementAndGet();
        try (Journal journal = Journal.open(folder.resolve("journal-" + trial));
                TrialTopics topics = TrialTopics.on(cluster, name -> "weir-" + trial + "-" + name, journal)) {
            topics.create(variant.topics());
            List<String> names = variant.topics().keySet().stream()
                    .flatMap(topic -> topics.names(topic).stream())
                    .toList();
            Engine engine = engines.engine(variant, cluster, names, "weir-group-" + trial, this::event);
            Payloads payloads = Payloads.of(variant.load(), folder, 1);
            LoadPlan plan = LoadPlans.alone(variant, payloads, RUN_TAG, ORIGIN);
            try (Load load = new Load(plan, engine, payloads, System::nanoTime, this)) {
                load.prepare(Duration.ofSeconds(30));
                notes = load.notes();
                load.fill();
                load.warmUp(System.nanoTime() + 5_000_000);
                FutureTask<Boolean> other = new FutureTask<>(() -> during.accept(load), true);
                new Thread(other, "weir-during").start();
                measured = load.measure(System.nanoTime() + 5_000_000);
                other.get();
                long deadline = System.nanoTime() + variant.drain().toNanos();
                unresolved = load.finishSending(deadline);
                unread = load.finishReading(deadline);
                if (variant.verify() == Verify.TRUE) {
                    load.verify(load.positions(), System.nanoTime() + 30_000_000_000L);
                }
                ledger = load.finish();
                for (long end : engine.log().ends()) {
                    endOffsets += end;
                }
            }
            after.accept(names);
            topics.delete();
        }
    }

    public synchronized Numbers numbers() {
        return numbers(Steps.MEASURE, Integer.MAX_VALUE);
    }

    /** Returns the numbers of the steps from {@code first} to {@code last}, both included. */
    public Numbers numbers(int first, int last) {
        Numbers sum = new Numbers();
        for (Snapshot window : windows.values()) {
            for (int step : window.steps()) {
                sum = step >= first && step <= last ? sum.plus(window.numbers(step)) : sum;
            }
        }
        return sum;
    }

    @Override
    public synchronized void window(Snapshot snapshot) {
        windows.merge(snapshot.index(), snapshot.copy(), Snapshot::plus);
    }

    @Override
    public synchronized void reading(Reading reading) {
        readings.add(reading.metric());
        if (reading.source().startsWith(ReaderActivity.READER + "-")) {
            ofReaders.add(reading);
        }
    }

    @Override
    public synchronized void event(String text) {
        events.add(text);
    }
}
