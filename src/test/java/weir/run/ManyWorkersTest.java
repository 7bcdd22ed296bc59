package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.LatencyKind;
import weir.measure.LoadListener;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.plan.SyntheticTrial;
import weir.results.RunFolder;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.value.LatencyResult;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;
import weir.worker.WorkerParts;

/** A hundred workers, whose totals must equal those of one worker. */
class ManyWorkersTest {
    private static final int WORKERS = 100;
    private static final int SECONDS = 8;
    private static final int LAST = 4;
    private static final long SECOND = 1_000_000_000L;

    /** A part of a trial that arrives at some moment. */
    private record Part(int worker, Snapshot window) {}

    private final List<Part> parts = new ArrayList<>();
    private final List<Snapshot> whole = new ArrayList<>();

    /** Records a hundred workers, and one that carries the same load. */
    private void record() {
        Recorder together = new Recorder(0, SECOND, Integer.MAX_VALUE, window -> whole.add(window.copy()));
        List<Recorder> each = new ArrayList<>();
        for (int worker = 0; worker < WORKERS; worker++) {
            int number = worker;
            each.add(new Recorder(
                    0, SECOND, Integer.MAX_VALUE, window -> parts.add(new Part(number, overTheWire(window)))));
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int second = 0; second < SECONDS; second++) {
            for (Recorder own : each) {
                for (int i = 0; i < 5; i++) {
                    Consumer<Recorder> event = event(second, random);
                    event.accept(own);
                    event.accept(together);
                }
            }
        }
        each.forEach(Recorder::close);
        together.close();
    }

    private static Consumer<Recorder> event(int second, SplittableRandom random) {
        int step = second == 0 ? Steps.WARMUP : Math.min(LAST, Steps.MEASURE + second / 3);
        long due = second * SECOND + random.nextLong(SECOND / 2);
        long sent = due + random.nextLong(1L << random.nextInt(10, 20));
        long acked = sent + random.nextLong(1L << random.nextInt(10, 28));
        boolean ends = random.nextInt(20) > 0;
        return out -> {
            out.due(step, due, 1);
            out.sent(step, 1, 1, due, sent, sent, 0, 100);
            if (ends) {
                out.acked(step, 1, 1, due, sent, acked, 100);
                out.ackedDuring(step, 1, 1, acked, 100);
                out.received(step, 1, due, acked, 100);
            } else {
                out.unresolved(step, 1, 1, due, sent, acked);
            }
        };
    }

    private static Snapshot overTheWire(Snapshot window) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            window.write(new DataOutputStream(bytes));
            return Snapshot.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("long")
    void theFilesOfATrialAreThoseOfOneProcessByteByByte(@TempDir Path root) throws IOException {
        record();
        Path one = written(root.resolve("one"), recorder -> {
            for (int second = 0; second < SECONDS; second++) {
                recorder.reading(new Reading(second, "readers", "lag.records", WORKERS * (second + 1.0)));
                recorder.window(whole.get(second));
            }
        });
        Random order = new Random(7);
        Path many = written(root.resolve("many"), recorder -> {
            List<LoadListener> workers = WorkerParts.of(recorder, WORKERS);
            // Windows stay open for two seconds. Within these parts they arrive in any order.
            for (int second = 0; second < SECONDS; second += 2) {
                for (int at = second; at < second + 2; at++) {
                    for (LoadListener worker : shuffled(workers, order)) {
                        worker.reading(new Reading(at, "readers", "lag.records", at + 1.0));
                    }
                }
                int from = second;
                List<Part> now = parts.stream()
                        .filter(part -> part.window().index() / 2 == from / 2)
                        .toList();
                shuffled(now, order).forEach(part -> workers.get(part.worker()).window(part.window()));
            }
        });
        for (String file : List.of("windows.csv", "counts.csv", "latency.hlog", "probes.csv", "events.csv")) {
            assertThat(Files.readAllLines(many.resolve(file + ".part")))
                    .as(file)
                    .isNotEmpty()
                    .containsExactlyElementsOf(Files.readAllLines(one.resolve(file + ".part")));
        }
    }

    private static <T> List<T> shuffled(List<T> all, Random order) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, order);
        return shuffled;
    }

    private static Path written(Path root, Consumer<TrialRecorder> load) {
        RunFolder run = Trials.folder(root, Instant.EPOCH, Trials.asked("x"));
        try (TrialWriter writer = run.trial(SyntheticTrial.of(1, "base", 1), Instant.EPOCH)) {
            writer.conditions(TrialConditions.NONE);
            TrialRecorder recorder = new TrialRecorder(
                    SyntheticTrial.of(1, "base", 1),
                    writer,
                    () -> 0,
                    0,
                    0,
                    new RunListeners(question -> false, List.of()));
            load.accept(recorder);
            recorder.flush();
            return writer.path();
        }
    }

    @Test
    void latenciesOfAFinishedStepArePackedWithoutLoss() {
        int steps = 20;
        TrialRecorder.WorkerLatencies worker = new TrialRecorder.WorkerLatencies(9);
        TrialRecorder.WorkerLatencies reopened = new TrialRecorder.WorkerLatencies(0);
        List<Snapshot> windows = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(3);
        for (int step = 0; step < steps; step++) {
            windows.add(overTheWire(window(step, random)));
        }
        windows.forEach(worker::add);
        // Every step again: some of its messages were answered when later steps had long begun.
        windows.forEach(reopened::add);
        windows.forEach(reopened::add);
        for (int step = 0; step < steps; step++) {
            TrialEnd.WorkerLatency kept = worker.of(Steps.MEASURE + step);
            Snapshot window = windows.get(step);
            Numbers numbers = window.numbers(Steps.MEASURE + step);
            assertThat(kept)
                    .isEqualTo(new TrialEnd.WorkerLatency(
                            Steps.MEASURE + step,
                            9,
                            LatencyResult.of(numbers.latency(LatencyKind.LATE)),
                            LatencyResult.of(numbers.latency(LatencyKind.RESPONSE))));
            Numbers twice = numbers.plus(numbers);
            assertThat(reopened.of(Steps.MEASURE + step).response())
                    .isEqualTo(LatencyResult.of(twice.latency(LatencyKind.RESPONSE)));
        }
        assertThat(worker.openSteps()).isOne();
        // A histogram up to a second has 180 kB. A hundred workers store 40 MB for 20 steps, not a gigabyte.
        assertThat(worker.packedBytes() / (steps - 1)).as("bytes of a step").isBetween(1_000L, 25_000L);
    }

    /** Ten thousand messages with a tail of a second. */
    private static Snapshot window(int step, SplittableRandom random) {
        List<Snapshot> windows = new ArrayList<>();
        Recorder recorder = new Recorder(0, 10 * SECOND, Integer.MAX_VALUE, window -> windows.add(window.copy()));
        for (int i = 0; i < 10_000; i++) {
            long late = random.nextLong(1L << random.nextInt(10, 26));
            long response = late + random.nextLong(1L << random.nextInt(18, 30));
            recorder.sent(Steps.MEASURE + step, 1, 1, 0, late, late, 0, 0);
            recorder.acked(Steps.MEASURE + step, 1, 1, 0, late, response, 0);
        }
        recorder.close();
        return windows.get(0);
    }
}
