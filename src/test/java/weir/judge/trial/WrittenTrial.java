package weir.judge.trial;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.HistogramLog;
import weir.measure.LatencyKind;
import weir.measure.Reading;
import weir.measure.Recorder;
import weir.measure.Steps;
import weir.plan.RecordKeys;
import weir.plan.Sentence;
import weir.plan.SyntheticTrial;
import weir.plan.trial.Trial;
import weir.results.RunFolder;
import weir.results.TrialFolder;
import weir.results.TrialWriter;
import weir.results.Trials;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.GeneratorResult;
import weir.results.value.HostFacts;
import weir.results.value.LatencyResult;
import weir.results.value.TrialConditions;
import weir.results.value.TrialEnd;

/** A trial of two steps in a folder, as a run writes it, without its end. */
public abstract class WrittenTrial {
    protected static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    protected static final long SECOND = 1_000_000_000L;
    protected static final int SECONDS = 6;
    protected static final long E2E_NANOS = 6_000_000;

    @TempDir
    protected Path root;

    protected RunFolder run;
    protected TrialWriter writer;

    /** Two steps of three seconds at 100/s and 200/s. Everything takes 5 ms, and some messages never end. */
    @BeforeEach
    void writesWindows() {
        run = Trials.folder(root, NOON, Trials.asked("x"));
        writes(SyntheticTrial.of(1, "base", 1), E2E_NANOS);
    }

    protected final void writes(Trial trial) {
        writes(trial, E2E_NANOS);
    }

    protected final void writes(Trial trial, long e2eNanos) {
        writer = run.trial(trial, NOON);
        writer.conditions(new TrialConditions(
                List.of(Sentence.of("response p99 < 1ms")),
                new GeneratorResult(null, null, 4_000.0, "", List.of(), null),
                List.of(new HostFacts(
                        HostFacts.HERE, "", 2, 8L << 30, "Linux 6.12.0", "17.0.17", List.of(0), List.of(1), List.of())),
                "tmpfs",
                false,
                true,
                List.of("a proxy"),
                List.of()));
        for (int second = 0; second < SECONDS; second++) {
            writer.reading(new Reading(second, "readers", "lag.records", 7 + second));
        }
        Recorder recorder = recorder(writer, Steps.WHOLE);
        for (int second = 0; second < SECONDS; second++) {
            int step = second < 3 ? 2 : 3;
            int count = second < 3 ? 100 : 200;
            long due = second * SECOND;
            recorder.due(step, due, count);
            recorder.sent(step, count, count, due, due + 1_000, due + 2_000, 0, 250L * count);
            recorder.acked(step, count, count, due, due + 1_000, due + 5_000_000, 250L * count);
            recorder.ackedDuring(step, count, count, due + 5_000_000, 250L * count);
            recorder.received(step, count, due, due + e2eNanos, 250L * count);
            recorder.receivedDuring(step, count, due + e2eNanos, 250L * count);
        }
        recorder.unresolved(3, 3, 3, 5 * SECOND, 5 * SECOND, 5 * SECOND + 900_000_000);
        recorder.close();
        writer.event(new Event(0, Event.STEP, "100/s"));
        writer.event(new Event(3, Event.STEP, "200/s"));
    }

    /** Returns a recorder that writes its windows to the files of a trial. */
    public static Recorder recorder(TrialWriter writer, Steps parts) {
        HistogramLog log = new HistogramLog(writer.latency(), NOON.toEpochMilli());
        return new Recorder(0, SECOND, Integer.MAX_VALUE, window -> {
            log.write(window, parts, (double) window.index(), window.index() + 1.0);
            writer.counts(window, parts);
            writer.window(row(window.index(), window.all().acked()));
        });
    }

    protected static WindowRow row(long second, long acked) {
        WindowRow.Spread five = new WindowRow.Spread(5, 5, 5, 5);
        return new WindowRow(
                second,
                1,
                second < 3 ? 2 : 3,
                Balances.counts(
                        "due $1, sent $1, acked $1, failed 0, received $1, bytes_acked $2, bytes_received $2",
                        acked,
                        250L * acked),
                WindowRow.latencies(kind -> kind == LatencyKind.BACKPRESSURE ? WindowRow.Spread.NONE : five),
                7.0 + second,
                Double.NaN);
    }

    protected static Balance balance(long acked, long unresolved) {
        return Balances.of(
                "due $1, sent $1, acked $2, unresolved $3, received $2", acked + unresolved, acked, unresolved);
    }

    protected static TrialEnd end() {
        return end(
                List.of(
                        new TrialEnd.Step(2, "100/s", 0, 3, 3, balance(300, 0)),
                        new TrialEnd.Step(3, "200/s", 3, 6, 3, balance(600, 3))),
                balance(900, 3));
    }

    protected static TrialEnd end(List<TrialEnd.Step> steps, Balance all) {
        return RecordKeys.with(
                Trials.end(SECONDS, all, steps.toArray(TrialEnd.Step[]::new)),
                Map.of(
                        "measured.workers",
                        List.of(new TrialEnd.WorkerLatency(2, 0, LatencyResult.NONE, LatencyResult.NONE)),
                        "clocks",
                        new TrialEnd.Clocks(7_000.5, 7_000.25)));
    }

    protected TrialFolder folder() {
        return folder(1);
    }

    protected TrialFolder folder(int trial) {
        return run.trials().get(trial - 1);
    }

    protected JudgedTrial judged() {
        return new TrialJudge(writer.end(end())).judged();
    }

    protected static List<String> types(JudgedTrial judged) {
        return judged.caveats().stream().map(Caveat::type).toList();
    }
}
