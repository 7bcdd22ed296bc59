package weir.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.RunResult;

/** A run of an experiment on real processes, whose file and folder of runs are below a folder of the test. */
public final class RealRun {
    private RealRun() {}

    public static RunResult of(Path root, String plan) throws IOException {
        return of(root, plan, question -> true);
    }

    public static RunResult of(Path root, String plan, RunListener listener) throws IOException {
        Path file = Files.writeString(root.resolve("e.yaml"), plan);
        RunOptions options = new RunOptions(root.resolve("runs"), true, 0, 0, RunOptions.NEW, "test", "weir run");
        return new Runner(PlanReader.read(file, Overrides.NONE), options, listener).run();
    }
}
