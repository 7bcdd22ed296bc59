package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.measure.Count;
import weir.measure.Reading;
import weir.measure.Steps;
import weir.pace.Schedule;
import weir.pace.Schedules;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.TrialFolder;
import weir.results.value.Figures;
import weir.results.value.TrialResult;
import weir.run.RunOptions;
import weir.run.Runner;

/** One load by several processes on a real broker, with every shape of a rate: one run, three trials. */
class WorkersAndShapesIT {
    @TempDir
    static Path root;

    private static final String FILE = """
            name: workers-and-shapes
            topics: { t: { partitions: 4 } }
            load: { workload: deliver, producers: 3, rate: 2000/s, value: { size: 100B } }
            warmup: none
            measure: 1s
            variants:
              ramp:    { load: { workers: 2, engine: wire, rate: { ramp: { from: 500/s, to: 4k/s, over: 1s } } } }
              replay:  { load: { rate: { replay: rates.csv } }, measure: null }
              group:   { load: { workers: 2, consumers: 3, group: g, transaction: { records: 10 },
                         rate: { burst: 300 every 300ms }, consumer: { isolation.level: read_committed } } }
            """;

    private static Experiment experiment;
    private static RunResult result;
    private static Map<String, TrialResult> trials;

    @BeforeAll
    static void run() throws Exception {
        Path file = root.resolve("experiment.yaml");
        Files.writeString(file, FILE);
        Files.writeString(root.resolve("rates.csv"), "\uFEFFseconds,rps\r\n0,500\r\n0.4,3000\r\n0.8,0\r\n0.9,1000\r\n");
        experiment = PlanReader.read(file, new Overrides(List.of(), List.of(), "", "", List.of(), true));
        RunOptions options = new RunOptions(root.resolve("runs"), false, 0, 0, Path.of(""), "test", "weir run");
        result = new Runner(experiment, options, question -> false).run();
        trials = result.trials().stream().collect(Collectors.toMap(TrialResult::variant, Function.identity()));
    }

    /** Returns the number of operations in the schedules of all producers. */
    private static long scheduled(Variant variant) {
        LoadSpec load = variant.load();
        int trial = experiment.variants().indexOf(variant) + 1;
        long count = 0;
        for (int producer = 0; producer < load.producers().count(); producer++) {
            long seed = variant.seed() + trial + Steps.MEASURE;
            Schedule share = Schedules.of(
                            load.rate(),
                            variant.measure(),
                            new RateSpec.Senders(load.producers().count(), 100),
                            seed)
                    .share(producer, load.producers().count());
            while (share.next() != Schedule.NEVER) {
                count++;
            }
        }
        return count;
    }

    private static long known(@Nullable Long count) {
        return Objects.requireNonNull(count);
    }

    @Test
    void everyLoadShapeFollowsItsScheduleWithAnyNumberOfWorkers() {
        for (Variant variant : experiment.variants()) {
            String name = variant.name();
            Figures figures = Objects.requireNonNull(trials.get(name), name + " in " + result.toJson())
                    .figures();
            assertThat(figures.count(Count.DUE))
                    .as("due of %s: %s", name, figures)
                    .isEqualTo(scheduled(variant));
            // A busy machine leaves some messages unsent, and counts them.
            long sent = known(figures.count(Count.SENT));
            assertThat(sent + known(figures.count(Count.UNSENT)))
                    .as("sent and unsent of %s: %s", name, figures)
                    .isEqualTo(figures.count(Count.DUE));
            assertThat(figures.count(Count.ACKED))
                    .as("acked of %s: %s", name, figures)
                    .isEqualTo(sent);
            assertThat(figures.count(Count.RECEIVED))
                    .as("received of %s: %s", name, figures)
                    .isEqualTo(sent);
            assertThat(figures.count(Count.LOST))
                    .as("lost of %s: %s", name, figures)
                    .isZero();
            assertThat(figures.count(Count.DUPLICATED))
                    .as("duplicated of %s: %s", name, figures)
                    .isZero();
            assertThat(figures.count(Count.REORDERED))
                    .as("reordered of %s: %s", name, figures)
                    .isZero();
            assertThat(figures.e2e().count()).as("e2e of %s: %s", name, figures).isEqualTo(sent);
        }
        assertThat(result.exit()).as(result.toJson()).isIn(0, 4);
    }

    @Test
    void theResultAndTheFolderKnowEachWorker() {
        assertThat(trials.values().stream()
                        .collect(Collectors.toMap(
                                TrialResult::variant,
                                trial -> Objects.requireNonNullElse(
                                        trial.generator().workers(), 0))))
                .containsEntry("ramp", 2)
                .containsEntry("replay", 1)
                .containsEntry("group", 2);
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        TrialFolder ramp = folder.trials().get(0);
        assertThat(ramp.path())
                .isDirectoryContaining("glob:**worker-1.log")
                .isDirectoryContaining("glob:**worker-2.log");
        Set<String> sources = ramp.readings((source, metric) -> true).stream()
                .map(Reading::source)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(sources)
                .contains("client-1", "client-2", "generator-1", "generator-2", "readers")
                .doesNotContain("generator", "client");
        long acked = ramp.windows().stream().mapToLong(row -> row.acked()).sum();
        assertThat(acked)
                .as("acked in the windows of both")
                .isGreaterThanOrEqualTo(Objects.requireNonNull(
                        Objects.requireNonNull(trials.get("ramp")).figures().count(Count.ACKED)));
        assertThat(HtmlReport.of(folder).contains("t-workers"))
                .as("the report has a table of the workers")
                .isTrue();
    }
}
