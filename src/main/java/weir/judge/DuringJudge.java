package weir.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import weir.measure.Latency;
import weir.measure.LatencyKind;
import weir.measure.Steps;
import weir.results.WindowRow;
import weir.results.value.DisturbedTime;
import weir.results.value.DuringResult;
import weir.results.value.LatencyResult;

/** The figures of a trial in the seconds of a disturbance: its own, or one of another variant. */
record DuringJudge(TrialFiles files, String name, TimeScope.Span span, List<WindowRow> windows) {
    /** In the order in which they began; those in which no whole window was measured are left out. */
    static List<DuringResult> of(TrialFiles files) {
        double end = files.end().measured().to();
        return DisturbedTime.of(files.folder().events()).stream()
                .map(time -> of(files, time.name(), new TimeScope.Span(time.from(), Math.min(end, time.to()))))
                .filter(judge -> !judge.windows.isEmpty())
                .map(DuringJudge::judged)
                .toList();
    }

    private static DuringJudge of(TrialFiles files, String name, TimeScope.Span span) {
        List<WindowRow> windows = files.windows().stream()
                .filter(row -> span.holds(row.second(), row.seconds()))
                .toList();
        return new DuringJudge(files, name, span, windows);
    }

    private DuringResult judged() {
        double seconds = windows.stream().mapToDouble(WindowRow::seconds).sum();
        return new DuringResult(
                name,
                latency(LatencyKind.RESPONSE),
                latency(LatencyKind.E2E),
                sum(WindowRow::due) / seconds,
                sum(WindowRow::acked) / seconds);
    }

    private LatencyResult latency(LatencyKind kind) {
        List<Latency> latencies = new ArrayList<>();
        files.folder().latencies(tag -> measured(kind, tag), (second, latency) -> {
            if (span.holds(second, 1)) {
                latencies.add(latency);
            }
        });
        return LatencyResult.of(Latency.sum(latencies));
    }

    /** Tags are like response@2. */
    private static boolean measured(LatencyKind kind, String tag) {
        int at = tag.indexOf('@');
        return at > 0
                && tag.substring(0, at).equals(kind.word())
                && Integer.parseInt(tag.substring(at + 1)) >= Steps.MEASURE;
    }

    private double sum(ToLongFunction<WindowRow> count) {
        return windows.stream().mapToLong(count).sum();
    }
}
