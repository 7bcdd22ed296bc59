package weir.report.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.judge.Comparisons;
import weir.plan.syntax.Glossary;
import weir.results.RunState;
import weir.results.value.ExpectResult;
import weir.results.value.NumberFormat;
import weir.results.value.StepResult.StepVerdict.StepState;
import weir.run.Exit;

class GlossaryLinksTest {
    /** The columns of tables. Columns of variants, trials and workers have the user's names. */
    private static final Pattern HEADINGS =
            Pattern.compile("new Table\\(\\s*\\w+(?:\\.size\\(\\))?,\\s*((?:(?:\"[^\"]*\"|[\\w.() ]+),?\\s*)+)\\)"
                    + "|List<String> columns = new ArrayList<>\\(\\s*List\\.of\\(([^;]*)\\)\\);"
                    + "|\\bcolumn\\(\\s*\"[^\"]*\",|Column\\(\\s*\"[^\"]*\"|Column\\.of\\(\\s*\"[^\"]*\""
                    + "|tile\\(\\s*\\w+,\\s*\"[^\"]*\"");

    @Test
    @NeedsFeature
    void everyColumnOfATableIsInTheGlossary() throws IOException {
        Set<String> headings = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java/weir"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(source);
                HEADINGS.matcher(text.contains("weir.report.block.Table;") ? text : "")
                        .results()
                        .flatMap(found -> Pattern.compile("\"([^\"]*)\"")
                                .matcher(found.group())
                                .results())
                        .forEach(literal -> headings.add(literal.group(1)));
            }
        }
        headings.remove("");
        // Headings of sums, of tables that compare runs or trials, and of tables on a terminal.
        headings.removeAll(List.of("all", "at", "began", "changes", "differs", "×"));
        assertThat(headings)
                .hasSizeGreaterThan(80)
                .contains("late p99", "ceiling", "taken over", "with callees", "lost");
        assertThat(headings)
                .filteredOn(heading -> !heading.startsWith("median, "))
                .allSatisfy(heading ->
                        assertThat(Glossary.find(heading)).as(heading).isPresent());
    }

    @Test
    void everyVerdictStateAndExitCodeIsInTheGlossary() {
        List<String> words = new ArrayList<>(List.of(
                Comparisons.BETTER,
                Comparisons.WORSE,
                Comparisons.SAME,
                Comparisons.NO_VERDICT,
                ExpectResult.PASSED,
                ExpectResult.FAILED,
                ExpectResult.UNDECIDED,
                ForestPlot.SMALLEST,
                NumberFormat.MISSING));
        Stream.of(StepState.values()).map(StepState::word).forEach(words::add);
        Stream.of(RunState.values()).map(RunState::word).forEach(words::add);
        Stream.of(Exit.values()).map(exit -> "exit " + exit.code()).forEach(words::add);
        assertThat(words)
                .allSatisfy(word -> assertThat(Glossary.find(word)).as(word).isPresent());
    }
}
