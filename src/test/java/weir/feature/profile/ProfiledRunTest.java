package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.syntax.CaveatType;
import weir.plan.trial.Trial;
import weir.report.HtmlReport;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.run.Exit;
import weir.run.FakeLab;
import weir.run.RunListener;
import weir.run.RunOptions;
import weir.run.Runner;

/** Profiled trials of a run on a fake lab with fake profilers. */
class ProfiledRunTest {
    private static final String PACED = """
            load: { rate: 1000/s, producers: 1 }
            warmup: 2s
            measure: 6s
            """;

    @TempDir
    Path dir;

    private final List<String> trials = new ArrayList<>();
    private final List<String> unfinished = new ArrayList<>();
    private FakeLab lab = new FakeLab(Path.of(""));
    private Consumer<Trial> onTrial = trial -> {};
    private @Nullable Runner runner;

    /** The time of the measured phase that a profiler covered. */
    private double profiledSeconds = 6;

    private final RunListener listener = new RunListener() {
        @Override
        public boolean agrees(String question) {
            return false;
        }

        @Override
        public void trial(Trial trial, int of) {
            onTrial.accept(trial);
            trials.add(trial.variant().name() + " " + trial.repeat());
        }

        @Override
        public void unfinished(String command) {
            unfinished.add(command);
        }
    };

    @BeforeEach
    void open() {
        lab = profiled(dir.resolve("state"));
    }

    private FakeLab profiled(Path state) {
        FakeLab made = new FakeLab(state);
        made.companions = stage ->
                List.copyOf(TrialProfiles.attach(stage, (jvms, events, folder) -> profilers(made, jvms, folder)));
        return made;
    }

    private static long seconds(Instant time) {
        return Duration.between(Instant.parse("2026-01-01T00:00:00Z"), time).toSeconds();
    }

    private TrialProfiles.Profilers profilers(FakeLab lab, SortedMap<String, Long> jvms, Path folder) {
        lab.acts.add("attach to " + jvms.keySet());
        return new TrialProfiles.Profilers() {
            @Override
            public void begin() {
                lab.acts.add("record from " + lab.nanos() / 1_000_000_000L);
            }

            @Override
            public void end(Instant from, Instant to) {
                lab.acts.add("profile of " + seconds(from) + " to " + seconds(to));
            }

            @Override
            public List<ProfileResult> profiles() {
                ProfileResult taken = new ProfileResult(
                        "worker",
                        ProfileSpec.Event.CPU,
                        "async-profiler 4.5",
                        "perf events",
                        true,
                        false,
                        10,
                        10,
                        1,
                        0.002,
                        profiledSeconds);
                ProfiledTrial.write(folder, taken, Map.of("[pool];Work.run;Work.hot", 10L));
                return List.of(taken);
            }

            @Override
            public List<String> notes() {
                return List.of("worker: a note");
            }

            @Override
            public void close() {
                lab.acts.add("detach");
            }
        };
    }

    private RunResult run(String plan) throws IOException {
        return run(plan, RunOptions.NEW);
    }

    private RunResult run(String plan, Path resume) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), "name: e\n" + plan);
        Experiment experiment = PlanReader.read(file, Overrides.NONE);
        RunOptions options = new RunOptions(dir.resolve("runs"), false, 0, 0, resume, "test", "weir run e.yaml");
        runner = new Runner(experiment, options, listener, notes -> lab);
        return runner.run();
    }

    @Test
    void profiledTrialRunsLastAndGivesNoFigures() throws IOException {
        RunResult plain = run(PACED + "repeat: 2\n");
        lab = profiled(dir.resolve("other"));
        trials.clear();
        RunResult result = run(PACED + "repeat: 2\nprofile: { of: [workers] }\n");
        assertThat(trials).containsExactly("base 1", "base 2", "base 1");
        assertThat(result.trials()).hasSize(2);
        assertThat(result.conclusion().answer()).isEqualTo(plain.conclusion().answer());
        assertThat(result.state(RunFolder.open(Path.of(result.run())).asked()))
                .isEqualTo(plain.state(RunFolder.open(Path.of(plain.run())).asked()));
        assertThat(lab.acts)
                .containsSubsequence("attach to [worker]", "record from 1016", "profile of 1018 to 1024", "detach");
        assertThat(lab.lent).isZero();
        RunFolder folder = RunFolder.open(Path.of(result.run()));
        assertThat(folder.machine().facts())
                .as("not those of the profiled trial")
                .containsEntry("generator.trial", "2");
        assertThat(folder.trials()).hasSize(2);
        assertThat(folder.profiled()).singleElement().satisfies(trial -> {
            assertThat(trial.finished()).isTrue();
            assertThat(ProfiledTrial.of(trial)).singleElement().satisfies(profiled -> {
                assertThat(profiled.records()).isEqualTo(6_000);
                assertThat(profiled.seconds()).isEqualTo(6);
                assertThat(profiled.contents().notes()).containsExactly("worker: a note");
            });
        });
        HtmlReport.write(folder);
        assertThat(folder.path().resolve("profile/01-worker-cpu.html")).exists();
        assertThat(Files.readString(folder.report()))
                .contains("href=\"profile/01-worker-cpu.html\"")
                .contains("Work.hot");
    }

    @Test
    void shortProfileHasACaveatInReportAndFlamePage() throws IOException {
        profiledSeconds = 0.013;
        RunFolder folder = RunFolder.open(
                Path.of(run(PACED + "profile: { of: [workers] }\n").run()));
        assertThat(folder.profiled().get(0).caveats())
                .filteredOn(caveat -> caveat.is(CaveatType.named("profile-too-short")))
                .singleElement()
                .satisfies(
                        caveat -> assertThat(caveat.evidence()).isEqualTo("worker, cpu: profiled for 13.0 ms of 6 s"));
        HtmlReport.write(folder);
        String doubt = "doubt profile-too-short: worker, cpu: profiled for 13.0 ms of 6 s. Measure longer";
        assertThat(Files.readString(folder.path().resolve("profile/01-worker-cpu.html")))
                .contains(doubt);
        assertThat(Files.readString(folder.report()).split(doubt, -1))
                .as("beside the link and the table")
                .hasSize(3);
    }

    @Test
    void resumeRepeatsOnlyInterruptedProfiles() throws IOException {
        String file = PACED + "profile: { of: [workers] }\n";
        onTrial = trial -> {
            if (trial.profiled()) {
                lab.in(1, 3, () -> Objects.requireNonNull(runner).interrupt());
            }
        };
        RunResult cut = run(file);
        assertThat(cut.exit()).isEqualTo(Exit.INTERRUPTED.code());
        assertThat(unfinished).hasSize(1);
        assertThat(HtmlReport.of(RunFolder.open(Path.of(cut.run()))))
                .contains("base: the profiled trial was interrupted");
        onTrial = trial -> {};
        trials.clear();
        RunResult whole = run(file, Path.of(cut.run()));
        assertThat(trials).containsExactly("base 1");
        assertThat(whole.exit()).isEqualTo(Exit.FINE.code());
        assertThat(HtmlReport.of(RunFolder.open(Path.of(whole.run())))).doesNotContain("was interrupted");
        trials.clear();
        run(file, Path.of(cut.run()));
        assertThat(trials).isEmpty();
    }

    @Test
    void brokenPromiseInAProfiledTrialCounts() throws IOException {
        onTrial = trial -> {
            if (trial.profiled()) {
                lab.in(1, 4, () -> lab.loses = 3);
            }
        };
        RunResult result = run(PACED + "profile: { of: [workers] }\n");
        assertThat(result.exit()).isEqualTo(Exit.BROKEN_PROMISE.code());
        assertThat(HtmlReport.of(RunFolder.open(Path.of(result.run()))))
                .contains("base: Kafka broke a promise in the profiled trial", "lost 3");
    }
}
