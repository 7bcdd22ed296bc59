package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.Experiment;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.read.Overrides;
import weir.plan.trial.Estimate;
import weir.plan.trial.Trial;
import weir.plan.trial.Trials;
import weir.results.UnreadableRunException;

class ProfiledTrialsTest {
    private static final String STEPS = """
            load: { rate: { steps: [1000/s for 5s, 2000/s for 7s], rest: 1s } }
            measure: null
            """;

    private static final ProfileResult CPU = new ProfileResult(
            "broker-1", ProfileSpec.Event.CPU, "async-profiler 4.5", "perf events", true, false, 3, 3, 1, 0.002, 1);

    @TempDir
    Path folder;

    @Test
    void eachRequestedVariantHasOneProfiledTrial() {
        Experiment experiment = Plans.read("""
                load: { rate: 5/s }
                repeat: 3
                variants: { a: {}, b: { grid: { load.producer.linger.ms: [0, 5] } }, c: {} }
                profile: { variants: [b, c] }
                """);
        List<Trial> trials = new ProfileFeature.ProfiledTrials().of(experiment);
        assertThat(trials)
                .extracting(trial -> trial.variant().name())
                .containsExactly("b/linger.ms=0", "b/linger.ms=5", "c");
        assertThat(trials).extracting(Trial::number).containsExactly(1, 2, 3);
        assertThat(trials).allSatisfy(trial -> {
            assertThat(trial.profiled()).isTrue();
            assertThat(trial.answers()).isFalse();
            assertThat(trial.searches()).isFalse();
        });
        assertThat(trials.get(2).tag()).isEqualTo("profile-3");
        assertThat(Trials.of(experiment)).hasSize(12).noneMatch(Trial::profiled);
    }

    @Test
    void aStepIsProfiledAlone() {
        Trial trial = new ProfileFeature.ProfiledTrials()
                .of(Plans.read(STEPS + "profile: { during: 2k/s }"))
                .get(0);
        assertThat(trial.variant().load().rate())
                .isInstanceOfSatisfying(
                        RateSpec.Steps.class,
                        steps -> assertThat(steps.steps()).singleElement().satisfies(step -> {
                            assertThat(step.rate().perSecond()).isEqualTo(2000);
                            assertThat(step.length()).isEqualTo(Duration.ofSeconds(7));
                        }));
        assertThat(trial.variant().settings())
                .hasEntrySatisfying(
                        "load.rate", setting -> assertThat(setting.origin()).isEqualTo("profile.during"));
    }

    @Test
    void allStepsAreProfiledIfNoneIsNamed() {
        Trial trial = new ProfileFeature.ProfiledTrials()
                .of(Plans.read(STEPS + "profile: {}"))
                .get(0);
        assertThat(trial.variant().load().rate().names()).containsExactly("1000/s", "2000/s");
    }

    @Test
    void variantsWithoutTheProfiledStepAreSkipped() {
        assertThat(new ProfileFeature.ProfiledTrials().of(Plans.read(STEPS + """
                variants: { stepped: {}, other: { load: { rate: 7/s }, measure: 5s } }
                profile: { during: 1k/s }
                """)))
                .extracting(trial -> trial.variant().name())
                .containsExactly("stepped");
        assertThat(new ProfileFeature.ProfiledTrials().of(Plans.read("search: { capacity: {} }\nprofile: {}")))
                .isEmpty();
    }

    @Test
    void skippedVariantsAreListedWithTheReason() {
        assertThat(new ProfileFeature.ProfiledTrials().leftOut(Plans.read(STEPS + """
                variants: { stepped: {}, other: { load: { rate: 7/s }, measure: 5s }, third: {} }
                profile: { during: 1k/s, variants: [stepped, other] }
                """)))
                .containsExactly(
                        "variant 'other' is not profiled, because it has no step 1000/s",
                        "variant 'third' is not profiled, because it is not in profile.variants");
        assertThat(new ProfileFeature.ProfiledTrials().leftOut(Plans.read("load: { rate: 5/s }")))
                .isEmpty();
    }

    @Test
    void longestOfEqualStepsIsProfiled() {
        Trial trial = new ProfileFeature.ProfiledTrials().of(Plans.read("""
                load: { rate: { steps: [1000/s for 1s, 2000/s for 1s, 1000/s for 9s] } }
                measure: null
                profile: { during: 1k/s }
                """)).get(0);
        assertThat(trial.variant().load().rate())
                .isInstanceOfSatisfying(
                        RateSpec.Steps.class,
                        steps -> assertThat(steps.steps().get(0).length()).isEqualTo(Duration.ofSeconds(9)));
    }

    @Test
    void estimateIncludesProfiledTrials() {
        String file = "load: { rate: 100/s, value: { size: 1KiB } }\nwarmup: none\nmeasure: 10s\n";
        Estimate bare = Estimate.of(Plans.read(file));
        Estimate profiled = Estimate.of(Plans.read(file + "profile: {}"));
        assertThat(profiled.trials()).isEqualTo(bare.trials() + 1);
        assertThat(profiled.records()).isEqualTo(2 * bare.records());
        assertThat(profiled.time()).isGreaterThan(bare.time().plusSeconds(9));
    }

    private Map<String, Long> stacks() {
        Map<String, Long> read = new TreeMap<>();
        new ProfiledTrial(folder, 1, 1, new ProfiledTrial.Contents(List.of("broker-1"), List.of(CPU), List.of()))
                .stacks(CPU, read::put);
        return read;
    }

    private void write(String text) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(CPU.file())))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void stacksAreReadAsTheyWereWritten() {
        Map<String, Long> stacks = Map.of("[GC Thread#];a b;c", 5L, "[t];x", Long.MAX_VALUE);
        ProfiledTrial.write(folder, CPU, stacks);
        assertThat(stacks()).isEqualTo(stacks);
    }

    @Test
    void malformedStackIsReportedWithItsLine() throws IOException {
        write("[t];a 1\n[t];b\n");
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("broker-1-cpu.collapsed.gz (line 2): ");
        write("[t];a -1\n");
        assertThatThrownBy(this::stacks).hasMessageEndingWith("'-1' is not a weight");
    }

    @Test
    void uncompressedFileOrLinkIsRefused() throws IOException {
        Path file = folder.resolve(CPU.file());
        Files.writeString(file, "[t];a 1\n");
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("cannot be read");
        Files.delete(file);
        // JUnit warns of a link from the deleted folder to another folder.
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("elsewhere"), "x"));
        assertThatThrownBy(this::stacks).hasMessageContaining("is a link");
    }

    @Test
    void endlessStackLineIsRefused() throws IOException {
        write("a".repeat(1 << 20));
        assertThatThrownBy(this::stacks)
                .isInstanceOf(UnreadableRunException.class)
                .hasMessageContaining("longer than");
    }

    @Test
    void processNameMustNotBeAPath() {
        assertThatThrownBy(() -> new ProfileResult("../x", ProfileSpec.Event.CPU, "", "", true, false, 1, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void profileIsSkippedIfTheShortFormLacksItsStep() {
        String file = "load: { rate: \"1000:3\" }\nmeasure: null\nprofile: { during: 1k/s }\n";
        assertThat(Plans.read(file, Overrides.SHORT).extras()).hasSize(1);
        assertThat(Plans.read(file + "short: { load: { rate: 7/s }, measure: 3s }", Overrides.SHORT)
                        .extras())
                .isEmpty();
    }
}
