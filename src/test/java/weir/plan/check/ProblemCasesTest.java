package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weir.feature.NeedsFeature;
import weir.plan.Golden;
import weir.plan.Plans;
import weir.plan.Problem;
import weir.plan.syntax.KeyDescription;
import weir.plan.syntax.Keys;
import weir.plan.syntax.Requirement;
import weir.plan.trial.ExtraTrials;

/** Experiments and their problems. Each line of an experiment begins with {@code |}; blank lines separate cases. */
class ProblemCasesTest {
    static List<Path> files() throws IOException {
        return Plans.files("src/test/resources/weir/plan/problems", ".txt");
    }

    @ParameterizedTest
    @MethodSource("files")
    @NeedsFeature
    void eachCaseHasTheProblemsThatWereReviewed(Path file) throws IOException {
        String text = Stream.of(Files.readString(file).split("\n\n"))
                .map(ProblemCasesTest::judged)
                .collect(Collectors.joining("\n"));
        Golden.assertSame(file.toString(), text);
    }

    /** Rows of {@code requires:} in {@code keys.yaml}. */
    @Test
    void eachRowRefusesACase() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path file : files()) {
            problems.addAll(Files.readAllLines(file));
        }
        for (KeyDescription key : Keys.all()) {
            for (Requirement row : key.requires()) {
                String path = row.of().isEmpty() ? key.path() : row.of();
                String name = path.substring(path.lastIndexOf('.') + 1);
                String end = (row.because().isEmpty() ? "" : ", because " + row.because()) + "; " + row.action();
                assertThat(problems)
                        .as("%s requires %s", key.path(), row.line())
                        .anyMatch(problem -> problem.endsWith(end)
                                && (problem.contains(name + ": ")
                                        || !row.except().isEmpty()));
            }
        }
    }

    private static String judged(String sample) {
        List<String> written = sample.lines()
                .filter(line -> line.startsWith("| ") || line.startsWith("# "))
                .toList();
        String yaml = written.stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(2) + "\n")
                .collect(Collectors.joining());
        String found = Plans.problems(yaml);
        Stream<String> problems = found.isEmpty()
                ? ExtraTrials.all(extra -> extra.problems(Plans.read(yaml))).stream()
                        .map(Problem::text)
                : Stream.of(found);
        // Without the lines of the file below each problem.
        Stream<String> said = problems.flatMap(String::lines).filter(line -> line.startsWith("x.yaml:"));
        return Stream.concat(written.stream(), said).map(line -> line + "\n").collect(Collectors.joining());
    }
}
