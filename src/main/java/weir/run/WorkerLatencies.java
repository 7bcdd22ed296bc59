package weir.run;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.value.LatencyResult;
import weir.results.value.TrialEnd;

/**
 * The latencies of one of several workers that its caveats and its row in the report need. A histogram takes a hundred
 * kilobytes; packed, as it is once its step is over, a few. Nothing is lost by that: what comes later is added to it.
 * Safe for many threads.
 */
final class WorkerLatencies {
    private final int worker;
    private final Map<Integer, Kept> open = new HashMap<>();
    private final Map<Integer, byte[]> packed = new HashMap<>();

    /** {@code worker} is its number, from 0. */
    WorkerLatencies(int worker) {
        this.worker = worker;
    }

    /** Takes in a window, or a part of one. A step that is not in it is over, as far as anybody knows. */
    synchronized void add(Snapshot window) {
        List<Integer> steps = window.steps();
        for (int step : steps) {
            if (step >= Steps.MEASURE) {
                open.computeIfAbsent(step, this::taken).add(window.numbers(step));
            }
        }
        List.copyOf(open.keySet()).stream()
                .filter(step -> !steps.contains(step))
                .forEach(this::pack);
    }

    /** The latencies of a step so far, of which there may be none. */
    synchronized TrialEnd.WorkerLatency of(int step) {
        Kept still = open.get(step);
        Kept kept = still == null ? read(step) : still;
        return new TrialEnd.WorkerLatency(
                step, worker, LatencyResult.of(kept.late()), LatencyResult.of(kept.response()));
    }

    /** The steps that still have histograms. */
    synchronized int openSteps() {
        return open.size();
    }

    /** The size of all other steps. */
    synchronized long packedBytes() {
        return packed.values().stream().mapToLong(bytes -> bytes.length).sum();
    }

    private Kept taken(int step) {
        Kept kept = read(step);
        packed.remove(step);
        return kept;
    }

    private Kept read(int step) {
        byte[] bytes = packed.get(step);
        return bytes == null ? Kept.none() : Kept.read(bytes);
    }

    private void pack(int step) {
        Kept over = open.remove(step);
        if (over != null) {
            packed.put(step, over.packed());
        }
    }

    private record Kept(Latency late, Latency response) {
        static Kept none() {
            return new Kept(new Latency(), new Latency());
        }

        static Kept read(byte[] bytes) {
            try {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
                return new Kept(Latency.read(in), Latency.read(in));
            } catch (IOException e) {
                throw new UncheckedIOException("reading from memory", e);
            }
        }

        void add(Numbers numbers) {
            late.add(numbers.latency(LatencyKind.LATE));
            response.add(numbers.latency(LatencyKind.RESPONSE));
        }

        byte[] packed() {
            try {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                DataOutputStream out = new DataOutputStream(bytes);
                late.write(out);
                response.write(out);
                return bytes.toByteArray();
            } catch (IOException e) {
                throw new UncheckedIOException("writing to memory", e);
            }
        }
    }
}
