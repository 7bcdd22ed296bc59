package weir.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Journal;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.Variant;
import weir.plan.property.ResolvedSecrets;
import weir.worker.Assignment;

/** A trial of one worker on a real broker: its assignment, whose topics exist, and the reports of the worker. */
public final class AssignedTrial {
    private static final AtomicInteger TRIALS = new AtomicInteger();

    private AssignedTrial() {}

    public interface Task {
        void with(Assignment assignment, Variant variant) throws Exception;
    }

    public static void run(EmbeddedCluster cluster, Journal journal, Path folder, String yaml, Task task)
            throws Exception {
        Variant variant = Carried.variant(folder, yaml);
        String prefix = "weir-assigned-" + TRIALS.incrementAndGet() + "-";
        try (TrialTopics topics = TrialTopics.on(cluster, name -> prefix + name, journal)) {
            topics.create(variant.topics());
            SortedMap<String, List<String>> names = new TreeMap<>();
            variant.topics().keySet().forEach(topic -> names.put(topic, topics.names(topic)));
            task.with(
                    new Assignment(
                            variant,
                            1,
                            0,
                            1,
                            0x77656972,
                            1,
                            System.nanoTime(),
                            cluster.clientProperties(),
                            variant.load().producers().properties(),
                            variant.load().consumers().properties(),
                            names,
                            List.of(),
                            Assignment.Receiving.NONE,
                            new TreeMap<>(),
                            "",
                            folder.toString(),
                            List.of(),
                            ResolvedSecrets.NONE),
                    variant);
            topics.delete();
        }
    }

    public static class RecordingListener implements LoadListener {
        public final List<Snapshot> windows = Collections.synchronizedList(new ArrayList<>());
        public final List<String> sources = Collections.synchronizedList(new ArrayList<>());
        public final List<String> events = Collections.synchronizedList(new ArrayList<>());
        public final CountDownLatch measuring = new CountDownLatch(1);

        @Override
        public void window(Snapshot snapshot) {
            windows.add(snapshot);
            if (snapshot.numbers(Steps.MEASURE).acked() > 0) {
                measuring.countDown();
            }
        }

        @Override
        public void reading(Reading reading) {
            sources.add(reading.source());
        }

        @Override
        public void event(String text) {
            events.add(text);
        }

        public long acked() {
            return sum(Numbers::acked);
        }

        public long sum(ToLongFunction<Numbers> count) {
            return windows.stream()
                    .mapToLong(window -> count.applyAsLong(window.numbers(Steps.MEASURE)))
                    .sum();
        }
    }
}
