package weir.feature.publish;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import weir.cli.WeirVersion;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.results.RunFiles;
import weir.results.RunFolder;
import weir.run.FakeLab;
import weir.run.RunOptions;
import weir.run.Runner;

/** Runs in a lab without processes, and their published folders. */
public final class StoredRuns {
    static final String COMPARISON = """
            question: "Is <b>linger</b> | slower?"
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 4s
            repeat: 4
            cluster: { fresh: run }
            variants: { a: {}, b: { load: { producer: { linger.ms: 20 } } } }
            compare: [ b / a ]
            expect: [ "lost == 0", "response p99 of b / a < 2" ]
            """;

    static final String SINGLE = "load: { rate: 1000/s, producers: 1 }\nwarmup: 1s\nmeasure: 2s\n";

    static final String SEARCH = """
            search: { capacity: { limits: [response p99 < 100ms], from: 500/s, warmup: 1s, measure: 2s } }
            load: { rate: 50% of capacity }
            measure: 5s
            warmup: 2s
            """;

    static final String STEPS = """
            load: { rate: { steps: [1000/s for 5s, 2000/s for 5s, 4000/s for 8s, 8000/s for 5s], stop: broken } }
            warmup: 2s
            measure: null
            search: { breaking-point: { limits: [response p99 < 1s] } }
            """;

    private StoredRuns() {}

    /** Runs a plan with this version of Weir, and returns the folder of the run. */
    static Path run(Path dir, String plan, String weir) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.capacity = 5_000;
        RunOptions options = new RunOptions(dir.resolve("runs"), true, 0, 0, RunOptions.NEW, weir, "weir run e.yaml");
        return Path.of(new Runner(
                        PlanReader.read(file, Overrides.NONE),
                        options,
                        FakeLab.listener(true, note -> {}),
                        notes -> lab)
                .run()
                .run());
    }

    /** Writes the checksums and the page of a changed folder again, as a forger would. */
    static void seal(Path folder) throws IOException {
        Files.delete(folder.resolve(PublishedFolder.SUMS));
        new PublishedFolder(folder).seal(ResultPage.of(RunFolder.open(folder)));
    }

    /** Makes the folder of a run a published folder as it is, even if the run has no raw data. */
    public static void publish(RunFolder run) throws IOException {
        RunFiles.put(
                run.path().resolve(PublishedFolder.ABOUT),
                new PublishedFolder.About(PublishedFolder.FORMAT, WeirVersion.number(), false));
        new PublishedFolder(run.path()).seal(ResultPage.of(run));
    }

    static void replace(Path file, String old, String by) throws IOException {
        String text = Files.readString(file);
        if (!text.contains(old)) {
            throw new AssertionError(file + " does not contain " + old);
        }
        Files.writeString(file, text.replaceFirst(Pattern.quote(old), by));
    }
}
