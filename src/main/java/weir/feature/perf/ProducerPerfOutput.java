package weir.feature.perf;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import weir.cli.terminal.HumanAmount;
import weir.judge.FailedOperations;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.RunFolder;
import weir.results.value.NumberFormat;
import weir.results.value.TrialResult;

/**
 * The output of {@code kafka-producer-perf-test}, without failed records. Its latency is the time from the send call to
 * the callback. Weir calls this time service. In transactions Weir calls it callback, because service then ends with
 * the commit.
 */
final class ProducerPerfOutput extends PerfOutput {
    private static final double SECOND = 1e9;

    private final boolean paced;
    private final boolean transactional;
    private final long warmup;
    private final Intervals before;
    private final Intervals steady;
    private String reasons = "";

    /**
     * @param paced true if {@code --throughput} sets a rate
     * @param warmup number of warm-up records, which the second summary excludes; 0 for none
     */
    ProducerPerfOutput(PrintWriter out, boolean paced, boolean transactional, long warmup, Duration interval) {
        super(out);
        this.paced = paced;
        this.transactional = transactional;
        this.warmup = warmup;
        this.before = new Intervals(interval, this::sent, this::interval);
        this.steady = new Intervals(interval, this::sent, this::steady);
    }

    @Override
    boolean writes() {
        return true;
    }

    @Override
    void begin() {
        if (warmup > 0) {
            out.println("Warmup first " + warmup
                    + " records. Steady state results will print after the complete test summary.");
        }
    }

    @Override
    void window(Snapshot window, long beganMillis) {
        all.add(window);
        before.add(window.index(), window.numbers(Steps.WARMUP));
        steady.add(window.index(), measured(window));
    }

    private void steady(long began, Numbers numbers, long seconds) {
        if (warmup > 0 && steady.printed() == 0) {
            out.println("In steady state.");
        }
        interval(began, numbers, seconds);
    }

    private void interval(long began, Numbers numbers, long seconds) {
        Latency latency = latency(numbers);
        long sent = sent(numbers);
        out.printf(
                locale(),
                "%d records sent, %.1f records/sec (%.2f MB/sec), %.1f ms avg latency, %.1f ms max latency.%n",
                sent,
                sent / (double) seconds,
                bytes(numbers) / MEBIBYTE / seconds,
                latency.meanMillis(),
                latency.maxMillis());
        out.flush();
    }

    @Override
    void total(boolean interrupted) {
        Numbers warm = all.total(Steps.WARMUP);
        Numbers measured = all.total(Steps.MEASURE, Integer.MAX_VALUE);
        total("", warm.plus(measured), nanos(warm) + nanos(measured));
        if (warmup > 0 && measured.sent() > 0) {
            total(" steady state", measured, nanos(measured));
        }
        out.flush();
    }

    private void total(String state, Numbers numbers, long nanos) {
        Latency latency = latency(numbers);
        // This avoids a division by zero: without records, Kafka's tool prints 0 records/sec.
        double seconds = Math.max(1, nanos) / SECOND;
        out.printf(
                locale(),
                "%d%s records sent, %f records/sec (%.2f MB/sec), %.2f ms avg latency, %.2f ms max latency,"
                        + " %d ms 50th, %d ms 95th, %d ms 99th, %d ms 99.9th.%n",
                numbers.acked(),
                state,
                numbers.acked() / seconds,
                numbers.bytesAcked() / MEBIBYTE / seconds,
                latency.meanMillis(),
                latency.empty() ? 0 : latency.maxMillis(),
                percentile(latency, 0.5),
                percentile(latency, 0.95),
                percentile(latency, 0.99),
                percentile(latency, 0.999));
    }

    /** The tool's own definition: sorted[(int) (p · n)]. If p · n is whole, this is one rank above Weir's. */
    private static long percentile(Latency latency, double share) {
        return Math.round(latency.nthMillis((long) (share * latency.count()) + 1));
    }

    private static long nanos(Numbers numbers) {
        return numbers.endedNanos() - numbers.beganNanos();
    }

    private long sent(Numbers numbers) {
        return transactional ? numbers.latency(LatencyKind.CALLBACK).count() : numbers.acked();
    }

    /** The bytes of records with a callback. Open transactions count with the mean record size. */
    private double bytes(Numbers numbers) {
        if (!transactional) {
            return numbers.bytesAcked();
        }
        Numbers so = all.total(0, Integer.MAX_VALUE);
        return sent(numbers) * (double) so.count(Count.BYTES_SENT) / Math.max(1, so.sent());
    }

    /** Removes the highest values, because failed and unanswered records took longest. */
    private Latency latency(Numbers numbers) {
        return transactional
                ? numbers.latency(LatencyKind.CALLBACK)
                : numbers.latency(LatencyKind.SERVICE).fastest(numbers.acked());
    }

    @Override
    List<String> beyond(RunFolder run) {
        Numbers measured = all.total(Steps.MEASURE, Integer.MAX_VALUE);
        List<String> lines = new ArrayList<>();
        if (measured.sent() == 0) {
            return lines;
        }
        if (measured.acked() == 0) {
            lines.add("no record was acknowledged, so response has no percentiles");
            failed(measured, lines);
            return lines;
        }
        String until = transactional ? " until its transaction was committed" : "";
        if (paced) {
            lines.add("response " + percentiles(measured, LatencyKind.RESPONSE) + " from the due time of a record"
                    + until);
        } else {
            lines.add("response " + percentiles(measured, LatencyKind.RESPONSE) + until
                    + "; without --throughput, a record is due when it is sent");
        }
        if (transactional) {
            lines.add("service  " + percentiles(measured, LatencyKind.SERVICE) + " from the send of a record" + until);
            lines.add("callback " + percentiles(measured, LatencyKind.CALLBACK)
                    + " from the send of a record to its callback, as in the lines");
        } else if (paced) {
            lines.add("service  " + percentiles(measured, LatencyKind.SERVICE) + " from the send, as in the lines");
        }
        if (paced) {
            lines.add(
                    "late     " + percentiles(measured, LatencyKind.LATE) + " of the response: the generator's delay");
        }
        failed(measured, lines);
        return lines;
    }

    /** Prints the number of failures by reason. Kafka's tool prints each exception. */
    private void failed(Numbers measured, List<String> lines) {
        if (measured.failed() + measured.count(Count.UNRESOLVED) + measured.count(Count.UNSENT) == 0) {
            return;
        }
        lines.add(HumanAmount.count(measured.failed(), "record") + " failed, "
                + NumberFormat.count(measured.count(Count.UNRESOLVED)) + " without an answer, "
                + NumberFormat.count(measured.count(Count.UNSENT)) + " due but never sent"
                + (reasons.isEmpty() ? "" : "; failed with " + reasons));
        if (measured.failed() > 0 && measured.acked() > 0) {
            lines.add("response counts each failed record as at least delivery.timeout.ms");
        }
    }

    @Override
    void trial(TrialResult result) {
        reasons = FailedOperations.reasons(result);
    }

    /** True after a failure in a transaction, where the tool's next send or commit throws and it exits with 1. */
    @Override
    boolean broken() {
        return transactional && all.total(0, Integer.MAX_VALUE).failed() > 0;
    }

    private static String percentiles(Numbers numbers, LatencyKind metric) {
        Latency latency = numbers.latency(metric);
        return DoubleStream.of(50, 95, 99, 99.9)
                .mapToObj(percentile -> "p" + (percentile == 99.9 ? "99.9" : Integer.toString((int) percentile)) + " "
                        + (percentile > latency.atLeastBeyond() ? "≥ " : "")
                        + NumberFormat.millis(latency.millis(percentile))
                        + (latency.thin(percentile) ? " (thin)" : ""))
                .collect(Collectors.joining(", "));
    }
}
