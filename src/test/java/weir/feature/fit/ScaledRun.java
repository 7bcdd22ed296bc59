package weir.feature.fit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import weir.plan.RecordKeys;
import weir.report.SyntheticRun;
import weir.results.RunFolder;
import weir.results.RunResult;

public final class ScaledRun {
    private ScaledRun() {}

    public static RunFolder of(Path dir, List<ScalingResult> scalings) {
        RunFolder folder = new SyntheticRun(dir, List.of("one", "five"), 1, new double[] {10_000}, 3).write();
        RunResult plain = folder.result().orElseThrow();
        folder.conclude(RecordKeys.with(plain, Map.of("models", Map.of("scalings", scalings))));
        return folder;
    }
}
