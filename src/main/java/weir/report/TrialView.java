package weir.report;

import java.util.List;
import java.util.Set;
import weir.judge.TrialJudge;
import weir.results.ProbeReading;
import weir.results.TrialFolder;
import weir.results.WindowRow;
import weir.results.value.Caveat;
import weir.results.value.Event;
import weir.results.value.TrialResult;

/** One trial with everything that was written about it. */
public record TrialView(
        TrialResult result,
        boolean finished,
        String folder,
        List<WindowRow> rows,
        List<Event> events,
        List<ProbeReading> readings,
        List<TrialFolder.Point> spectrum,
        List<Caveat> caveats) {
    private static final Set<String> METRICS = Set.of(
            "cpu.busy.percent",
            "cpu.cores",
            "cpu.steal.percent",
            "disk.read.mib.per.s",
            "disk.write.mib.per.s",
            "gc.pause.longest.ms",
            "gc.pause.ms",
            "heap.used.mib",
            "open.records",
            "psi.cpu.some.percent",
            "psi.io.some.percent",
            "psi.memory.some.percent",
            "safepoint.longest.ms");

    static TrialView of(TrialFolder folder) {
        return new TrialView(
                TrialJudge.result(folder),
                folder.finished(),
                String.valueOf(folder.path().getFileName()),
                folder.windows(),
                folder.events(),
                folder.readings(TrialView::isShown),
                folder.spectrum(),
                TrialJudge.caveats(folder));
    }

    /** Its figures and caveats alone: what a text tells, without what only charts show. */
    static TrialView summary(TrialFolder folder) {
        return new TrialView(
                TrialJudge.result(folder),
                folder.finished(),
                String.valueOf(folder.path().getFileName()),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                TrialJudge.caveats(folder));
    }

    /** True when some chart or table shows this metric. */
    private static boolean isShown(String source, String metric) {
        return METRICS.contains(metric)
                || source.startsWith("client")
                || (source.startsWith("broker")
                        && metric.startsWith("request.produce.")
                        && metric.endsWith(".mean.ms"));
    }

    /** The name in legends: "lz4 2" is the second trial of lz4. */
    public String label() {
        return result.variant() + " " + result.repeat() + (finished ? "" : " (unfinished)");
    }
}
