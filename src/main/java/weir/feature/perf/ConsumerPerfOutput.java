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
final class ConsumerPerfOutput extends PerfOutput {
    private static final String JOINING = "joining.ms";
    private static final String REST =
            ", data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms,"
                    + " fetch.MB.sec, fetch.nMsg.sec";
    private static final double MILLI = 1e6;

    private final Asked asked;
    private final SimpleDateFormat dates;
    private final Intervals intervals;
    private Numbers told = new Numbers();
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
        this.intervals = new Intervals(asked.interval, Numbers::received, this::interval);
    }

    @Override
    boolean writes() {
        return false;
    }

    @Override
    void begin() {
        if (asked.header) {
            out.println((asked.detailed ? "time, threadId" : "start.time, end.time") + REST);
            out.flush();
        }
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

    private void interval(long began, Numbers numbers, long seconds) {
        if (!asked.detailed) {
            return;
        }
        // Joining ended before the first second of reading; the tool counts it here.
        double joined = told.received() == 0 ? joiningMillis : 0;
        told = told.plus(numbers);
        double mebibytes = numbers.bytesReceived() / MEBIBYTE;
        double elapsed = seconds + joined / 1e3;
        out.printf(
                locale(),
                "%s, %d, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f%n",
                date(originMillis + 1_000.0 * (began + seconds)),
                0,
                told.bytesReceived() / MEBIBYTE,
                mebibytes / elapsed,
                told.received(),
                numbers.received() / elapsed,
                Math.round(joined),
                seconds * 1_000,
                mebibytes / seconds,
                numbers.received() / (double) seconds);
        out.flush();
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
        if (gaveUp) {
            out.printf(
                    locale(),
                    "WARNING: Exiting before consuming the expected number of records: timeout (%d ms) exceeded."
                            + " You can use the --timeout option to increase the timeout.%n",
                    asked.timeout.toMillis());
        }
        if (!asked.detailed && over) {
            double end = gaveUp || read.received() == 0 ? toMillis : lastMillis(read);
            double fetching = Math.max(1, end - fromMillis);
            double elapsed = fetching + joiningMillis;
            double mebibytes = read.bytesReceived() / MEBIBYTE;
            out.printf(
                    locale(),
                    "%s, %s, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f%n",
                    date(fromMillis - joiningMillis),
                    date(end),
                    mebibytes,
                    mebibytes * 1e3 / elapsed,
                    read.received(),
                    read.received() * 1e3 / elapsed,
                    Math.round(joiningMillis),
                    Math.round(fetching),
                    mebibytes * 1e3 / fetching,
                    read.received() * 1e3 / fetching);
        }
        out.flush();
    }

    private double lastMillis(Numbers read) {
        return originMillis + read.endedNanos() / MILLI;
    }

    private String date(double millis) {
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
