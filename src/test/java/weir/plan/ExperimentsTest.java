package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Estimate;

/** The experiments that ship with Weir. */
class ExperimentsTest {
    static List<Path> experiments() throws IOException {
        return Plans.files("experiments", ".yaml");
    }

    @ParameterizedTest
    @MethodSource("experiments")
    @NeedsFeature
    void experimentCanRunInFullAndBrieflyInShort(Path file) {
        Experiment full = PlanReader.read(file, Overrides.NONE);
        Experiment brief = PlanReader.read(file, Overrides.SHORT);
        assertThat(full.missing()).isEmpty();
        assertThat(Estimate.of(brief).time()).isLessThanOrEqualTo(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    @NeedsFeature
    void experimentAsksAQuestionAndExpectsNoLoss(Path file) {
        Experiment full = PlanReader.read(file, Overrides.NONE);
        assertThat(full.question()).endsWith("?");
        assertThat(full.expectations())
                .extracting(Expectation::text)
                .anyMatch(text -> text.matches("lost( of \\S+)? == 0"));
    }

    @ParameterizedTest
    @MethodSource("experiments")
    @NeedsFeature
    void shortFormsDoNotRepeatWhatShortDoesByItself(Path file) throws IOException {
        String[] parts = Files.readString(file).split("(?m)^short:", -1);
        assertThat(parts).hasSize(2);
        assertThat(parts[1]).doesNotContain("accept:", "expect:", "generator-late", "rate-missed");
        assertThat(PlanReader.read(file, Overrides.SHORT).accepted()).containsKeys("generator-late", "rate-missed");
    }
}
