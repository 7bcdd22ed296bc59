package weir.worker;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import weir.measure.LoadListener;
import weir.plan.Plans;
import weir.plan.property.ResolvedSecrets;
import weir.time.MachineClock;
import weir.worker.link.Link;

/** Several workers that act as one, and an assignment for one. */
public final class WorkerParts {
    private WorkerParts() {}

    static Assignment assignment() {
        TreeMap<String, String> client = new TreeMap<>();
        client.put("sasl.jaas.config", "hunter2");
        TreeMap<String, List<String>> topics = new TreeMap<>();
        topics.put("t", List.of("weir-t"));
        return new Assignment(
                Plans.only("load: {}"),
                1,
                0,
                2,
                3,
                4,
                5,
                client,
                new TreeMap<>(),
                new TreeMap<>(),
                topics,
                List.of("http://127.0.0.1:8082"),
                Assignment.Receiving.NONE,
                new TreeMap<>(),
                "",
                "/tmp",
                List.of(Duration.ofSeconds(6)),
                new ResolvedSecrets(List.of("my.id"), List.of("hunter2")));
    }

    /** Returns a listener for each of these workers. */
    public static List<LoadListener> of(LoadListener out, int workers) {
        Fleet.MergedListener merged = new Fleet.MergedListener(out, workers);
        return IntStream.range(0, workers).mapToObj(merged::part).toList();
    }

    public static LinkedWorker linked(Link link, int number, LoadListener listener) {
        return new LinkedWorker(link, number, listener, () -> "worker " + number + " ended", MachineClock.STEADY);
    }
}
