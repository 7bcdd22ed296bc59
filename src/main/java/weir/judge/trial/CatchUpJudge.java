package weir.judge.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import weir.judge.TrialFiles;
import weir.measure.Count;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Numbers;
import weir.measure.Steps;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.CatchUpResult;
import weir.results.value.Figures;
import weir.results.value.LatencyResult;
import weir.results.value.TrialEnd;

/** The judge of readers that catch up with a backlog. It uses the reader lag and the windows of the trial. */
final class CatchUpJudge {
    private static final double SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private final double from;
    private final double warmedFrom;
    private final CatchUp found;
    private final double behind;
    private final long last;

    private Latency before = Latency.sum(List.of());
    private Latency during = before;
    private Latency after = before;
    private long records;
    private long bytes;

    private CatchUpJudge(double from, double warmedUp, CatchUp found, double behind) {
        this.from = from;
        this.warmedFrom = from - warmedUp / 2;
        this.found = found;
        this.behind = behind;
        this.last = found.reached() ? (long) Math.floor(from + found.seconds()) : Long.MAX_VALUE;
    }

    static @Nullable CatchUpResult of(TrialFiles files, Figures all, double seconds) {
        Long due = all.count(Count.DUE);
        TrialEnd end = files.end();
        if (!files.plan().catchesUp() || due == null || seconds <= 0) {
            return null;
        }
        // Stages begin with a window.
        double from = Math.rint(end.measured().from());
        // A sample is of the end of its second.
        SortedMap<Double, Double> lag = new TreeMap<>();
        for (Map.Entry<Long, Double> look : files.readings()
                .sums("readers", "lag.records", 0, Math.floor(end.measured().to()))
                .entrySet()) {
            double since = look.getKey() + 1 - from;
            if (since <= 0) {
                lag.clear();
            }
            lag.put(Math.max(0, since), look.getValue());
        }
        if (lag.isEmpty()) {
            return null;
        }
        CatchUp found = CatchUp.of(lag, due / seconds);
        long acked = files.numbers().headMap(Steps.MEASURE).values().stream()
                .mapToLong(Numbers::acked)
                .sum();
        CatchUpJudge of = new CatchUpJudge(from, end.warmUp().seconds(), found, found.backlog(acked, due / seconds));
        files.windows().forEach(of::count);
        TrialFolder folder = files.folder();
        folder.latencies(
                tag -> tag.metric().equals(LatencyKind.RESPONSE.word()) && tag.step() == Steps.WARMUP, of::warmedUp);
        folder.latencies(tag -> tag.measured(LatencyKind.RESPONSE), of::measured);
        return of.result(end.measured().lostBefore());
    }

    private void count(WindowRow row) {
        if (row.second() >= from && row.second() < from + Math.floor(found.seconds())) {
            records += row.received();
            bytes += row.of(Count.BYTES_RECEIVED);
        }
    }

    private void warmedUp(double second, Latency response) {
        if (second >= warmedFrom && second < from) {
            before = before.plus(response);
        }
    }

    // Messages due in the catch-up's last window but acked later belong to the catch-up. If not, very slow messages
    // would improve its percentiles.
    private void measured(double index, Latency response) {
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
                Math.round(behind),
                records == 0 ? null : behind * bytes / records / MEBIBYTE,
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

    /**
     * The moment of the catch-up: the first of {@value #LOOKS} consecutive samples of lag that are low enough. Between
     * two samples, lag is interpolated linearly.
     *
     * @param seconds until that moment; without a catch-up, until the last sample
     * @param behind the first lag in records, {@code left} the last lag
     * @param expected seconds to the catch-up at the average decrease of lag; NaN without a decrease, or if not needed
     */
    record CatchUp(boolean reached, double seconds, double behind, double left, double expected) {
        static final int LOOKS = 3;

        /** {@code lag} is by seconds since the readers' start; its first entry is at the start or earlier. */
        static CatchUp of(SortedMap<Double, Double> lag, double enough) {
            if (lag.isEmpty()) {
                throw new IllegalArgumentException("the lag of the readers was not measured");
            }
            List<Map.Entry<Double, Double>> looks = new ArrayList<>(lag.entrySet());
            double behind = looks.get(0).getValue();
            double left = looks.get(looks.size() - 1).getValue();
            int near = 0;
            for (int i = 0; i < looks.size(); i++) {
                near = looks.get(i).getValue() <= enough ? near + 1 : 0;
                if (near == LOOKS) {
                    int first = i - LOOKS + 1;
                    double seconds =
                            first == 0 ? 0 : Math.max(0, crossing(looks.get(first - 1), looks.get(first), enough));
                    return new CatchUp(true, seconds, behind, left, Double.NaN);
                }
            }
            double seconds = looks.get(looks.size() - 1).getKey();
            double perSecond = (behind - left) / (seconds - looks.get(0).getKey());
            double more = Math.max(0, left - enough) / perSecond;
            return new CatchUp(false, seconds, behind, left, perSecond > 0 ? seconds + more : Double.NaN);
        }

        /**
         * The number of waiting records at the readers' start. The topic may contain records of other runs. The first
         * sample is up to a second late and may include new records.
         */
        double backlog(long acked, double perSecond) {
            double more = behind - acked;
            return more > 0 && more < perSecond ? acked : behind;
        }

        private static double crossing(
                Map.Entry<Double, Double> above, Map.Entry<Double, Double> below, double enough) {
            double share = (above.getValue() - enough) / (above.getValue() - below.getValue());
            return above.getKey() + share * (below.getKey() - above.getKey());
        }
    }
}
