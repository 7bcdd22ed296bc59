package weir.feature.perf;

import java.io.PrintWriter;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import weir.measure.Numbers;
import weir.measure.Reading;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.RunFolder;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;
import weir.time.MachineClock;

/** The output of {@code kafka-consumer-perf-test}. */
class ConsumerPerfOutput extends PerfOutput {
    private static final String JOINING = "joining.ms";
    private static final String REST =
            ", data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms,"
                    + " fetch.MB.sec, fetch.nMsg.sec";
    private static final double MILLI = 1e6;

    private final Asked asked;
    private final SimpleDateFormat dates;
    private final Intervals intervals;
    private Numbers total = new Numbers();
    private long originMillis = MachineClock.WALL.millis();
    private double joiningMillis;
    private double fromMillis;
    private double toMillis;
    private boolean over;

    /** @param timeout time without a record after which reading ends */
    record Asked(
            long records, Duration timeout, Duration interval, boolean detailed, boolean header, String dateFormat) {}

    ConsumerPerfOutput(PrintWriter out, Asked asked) {
        super(out);
        this.asked = asked;
        this.dates = new SimpleDateFormat(asked.dateFormat);
        this.intervals = new Intervals(asked.interval, Numbers::received, this::print);
    }

    @Override
    boolean writes() {
        return false;
    }

    @Override
    void begin() {
        if (asked.header) {
            out.println(header());
            out.flush();
        }
    }

    String header() {
        return (asked.detailed ? "time, threadId" : "start.time, end.time") + REST;
    }

    @Override
    void reading(Reading reading) {
        if (reading.metric().equals(JOINING)) {
            joiningMillis = reading.value();
        }
    }

    @Override
    void window(Snapshot window, long beganMillis) {
        originMillis = beganMillis - 1_000 * window.index();
        all.add(window);
        intervals.add(window.index(), measured(window));
    }

    private void print(long began, Numbers numbers, long seconds) {
        if (!asked.detailed) {
            return;
        }
        // Joining ended before the first second of reading; the tool counts it here.
        double joined = total.received() == 0 ? joiningMillis : 0;
        total = total.plus(numbers);
        out.println(interval(originMillis + 1_000.0 * began, (double) seconds, total, numbers, joined));
        out.flush();
    }

    String interval(double fromMillis, double seconds, Numbers total, Numbers numbers, double joinedMillis) {
        double mebibytes = numbers.bytesReceived() / MEBIBYTE;
        double elapsed = seconds + joinedMillis / 1e3;
        return String.format(
                locale(),
                "%s, %d, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f",
                date(fromMillis + 1_000 * seconds),
                0,
                total.bytesReceived() / MEBIBYTE,
                mebibytes / elapsed,
                total.received(),
                numbers.received() / elapsed,
                Math.round(joinedMillis),
                Math.round(1_000 * seconds),
                mebibytes / seconds,
                numbers.received() / seconds);
    }

    @Override
    void trial(TrialResult result) {
        StepResult step = result.steps().get(0);
        measured(step.from(), step.seconds());
    }

    /** Both times are in seconds; {@code from} counts from the first window. */
    void measured(double from, double seconds) {
        over = true;
        fromMillis = originMillis + 1e3 * from;
        toMillis = fromMillis + 1e3 * seconds;
    }

    @Override
    void total(boolean interrupted) {
        Numbers read = all.total(Steps.MEASURE, Integer.MAX_VALUE);
        boolean gaveUp = read.received() < asked.records && !interrupted;
        if (over) {
            beforeTotal(read, fromMillis - joiningMillis, gaveUp || read.received() == 0 ? toMillis : lastMillis(read));
        }
        if (gaveUp) {
            out.printf(
                    locale(),
                    "WARNING: Exiting before consuming the expected number of records: timeout (%d ms) exceeded."
                            + " You can use the --timeout option to increase the timeout.%n",
                    asked.timeout.toMillis());
        }
        if (over && printsTotal()) {
            double end = gaveUp || read.received() == 0 ? toMillis : lastMillis(read);
            out.println(total(read, fromMillis, end, joiningMillis));
        }
        out.flush();
    }

    boolean printsTotal() {
        return !asked.detailed;
    }

    /** Prints lines before the warning about missing records. */
    void beforeTotal(Numbers read, double fromMillis, double toMillis) {}

    String total(Numbers read, double fromMillis, double toMillis, double joinedMillis) {
        double fetching = Math.max(1, toMillis - fromMillis);
        double elapsed = fetching + joinedMillis;
        double mebibytes = read.bytesReceived() / MEBIBYTE;
        return String.format(
                locale(),
                "%s, %s, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f",
                date(fromMillis - joinedMillis),
                date(toMillis),
                mebibytes,
                mebibytes * 1e3 / elapsed,
                read.received(),
                read.received() * 1e3 / elapsed,
                Math.round(joinedMillis),
                Math.round(fetching),
                mebibytes * 1e3 / fetching,
                read.received() * 1e3 / fetching);
    }

    private double lastMillis(Numbers read) {
        return originMillis + read.endedNanos() / MILLI;
    }

    final String date(double millis) {
        return dates.format(Math.round(millis));
    }

    @Override
    List<String> beyond(RunFolder run) {
        List<String> beyond = new ArrayList<>();
        Numbers read = all.total(Steps.MEASURE, Integer.MAX_VALUE);
        double waited = toMillis - lastMillis(read);
        if (over && read.received() > 0 && read.received() < asked.records && waited >= asked.timeout.toMillis()) {
            double fetching = Math.max(1, lastMillis(read) - fromMillis);
            beyond.add("rate until the last record: " + NumberFormat.rate(read.received() * 1e3 / fetching) + ", "
                    + NumberFormat.mebibytes(read.bytesReceived() / MEBIBYTE * 1e3 / fetching)
                    + "; the lines also count the "
                    + NumberFormat.millis(waited) + " after this record");
        }
        run.trials().stream()
                .filter(trial -> trial.finished())
                .forEach(trial -> beyond.add("records not read: "
                        + NumberFormat.count(trial.result().figures().lag().end())));
        return beyond;
    }
}
