package weir.run;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.measure.Balance;
import weir.measure.CatchUp;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Snapshot;
import weir.measure.Steps;
import weir.results.CatchUpResult;
import weir.results.LatencyResult;

/** Makes of lag and windows how readers caught up. */
public final class CatchUpJudge {
    private static final double SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private final double from;
    private final double warmedFrom;
    private final CatchUp found;
    /** The window in which they had caught up, the last one of the catch-up. */
    private final long last;

    private Latency before = Latency.sum(List.of());
    private Latency during = before;
    private Latency after = before;
    private long records;
    private long bytes;

    private CatchUpJudge(double from, double warmedUp, CatchUp found) {
        this.from = from;
        this.warmedFrom = from - warmedUp / 2;
        this.found = found;
        this.last = found.reached() ? (long) Math.floor(from + found.seconds()) : Long.MAX_VALUE;
    }

    /** Null where nobody looked how far the readers were behind. {@code enough}: records that arrive in a second. */
    public static @Nullable CatchUpResult of(TrialOutcome outcome, double enough) {
        TrialRecorder tally = outcome.tally();
        // Stages begin with a window.
        double from = Math.rint(tally.second(outcome.measured().startNanos()));
        double to = tally.second(outcome.measured().endNanos());
        // A look belongs to the second at whose end it is taken.
        SortedMap<Double, Double> lag = new TreeMap<>();
        for (Map.Entry<Long, Double> look :
                tally.readings().sums("readers", "lag.records", 0, to - 1).entrySet()) {
            double since = look.getKey() + 1 - from;
            if (since <= 0) {
                lag.clear();
            }
            lag.put(Math.max(0, since), look.getValue());
        }
        if (lag.isEmpty()) {
            return null;
        }
        CatchUpJudge of = new CatchUpJudge(from, outcome.warmedUpSeconds(), CatchUp.of(lag, enough));
        tally.kept().forEach(of::add);
        if (of.found.reached()) {
            long moment = outcome.measured().startNanos() + (long) (of.found.seconds() * SECOND);
            tally.mark(moment, "caught up", "the readers had caught up with the producers");
        }
        Balance earlier = outcome.finished().ledger().balance(Steps.FILL, Steps.WARMUP);
        return of.result(earlier.lost() == Balance.UNKNOWN ? null : earlier.lost());
    }

    private void add(Snapshot window) {
        long index = window.index();
        if (index >= warmedFrom && index < from) {
            before = before.plus(window.numbers(Steps.WARMUP).latency(LatencyKind.RESPONSE));
        }
        if (index >= from && index < from + Math.floor(found.seconds())) {
            Numbers all = window.all();
            records += all.received();
            bytes += all.bytesReceived();
        }
        for (int step : window.steps()) {
            if (step >= Steps.MEASURE) {
                measured(index, window.numbers(step).latency(LatencyKind.RESPONSE));
            }
        }
    }

    // What was acked so many windows after the last one of the catch-up, and took at least so many seconds, was due in
    // it: the slowest must not improve the percentiles of the catch-up by being slow.
    private void measured(long index, Latency response) {
        if (index <= last) {
            during = during.plus(response);
            return;
        }
        long since = (long) ((index - last) * SECOND);
        during = during.plus(response.between(since, Long.MAX_VALUE));
        after = after.plus(response.between(0, since));
    }

    private CatchUpResult result(@Nullable Long lost) {
        double whole = Math.floor(found.seconds());
        return new CatchUpResult(
                Math.round(found.behind()),
                records == 0 ? null : found.behind() * bytes / records / MEBIBYTE,
                found.reached(),
                found.seconds(),
                Double.isNaN(found.expected()) ? null : found.expected(),
                records == 0 ? null : records / whole,
                records == 0 ? null : bytes / MEBIBYTE / whole,
                lost,
                LatencyResult.of(before),
                LatencyResult.of(during),
                LatencyResult.of(after));
    }
}
