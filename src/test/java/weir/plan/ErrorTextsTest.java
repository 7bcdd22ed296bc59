package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;

/** The error messages about experiment files, file by file. */
class ErrorTextsTest {
    static List<Path> files() throws IOException {
        return Plans.files("src/test/resources/weir/plan/errors", ".yaml");
    }

    @ParameterizedTest
    @MethodSource("files")
    @NeedsFeature
    void allProblemsAreReportedAndMatchTheGoldenFile(Path file) {
        Problems problems = catchThrowableOfType(Problems.class, () -> PlanReader.read(file, Overrides.NONE));
        assertThat(problems).as("%s is wrong", file).isNotNull();
        Golden.assertSame(file.toString().replace(".yaml", ".txt"), problems.text() + "\n");
    }
}
