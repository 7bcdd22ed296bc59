package weir.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratorSectionTest {
    @Test
    void theLongestPauseIsThatAtASafepointWhereItIsLongerAndATotalIsItsGrowth(@TempDir Path dir) {
        String text = Contradictions.text(
                HtmlReport.of(new SyntheticRun(dir, List.of("a"), 1, new double[] {10_000, 20_000}, 12).write()));
        assertThat(text)
                .as("of the collector it is 2.1 ms")
                .containsPattern("a 1 \\|.*\\| 5.14 ms \\|")
                .as("three in each of 24 seconds")
                .containsPattern("client \\| producer.record-retry-total \\| 72 ");
    }
}
