package weir.report;

import java.nio.file.Path;
import java.util.List;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.ScalingResult;

/** A run whose load was scaled. */
public final class ScaledRun {
    private ScaledRun() {}

    public static RunFolder of(Path dir, List<ScalingResult> scalings) {
        RunFolder folder = new SyntheticRun(dir, List.of("one", "five"), 1, new double[] {10_000}, 3).write();
        RunResult plain = folder.result().orElseThrow();
        folder.conclude(new RunResult(
                plain.version(),
                plain.name(),
                plain.run(),
                plain.valid(),
                plain.exit(),
                plain.caveats(),
                plain.expect(),
                plain.comparisons(),
                plain.overheads(),
                plain.fits(),
                scalings,
                plain.trials(),
                plain.conclusion(),
                plain.report()));
        return folder;
    }
}
