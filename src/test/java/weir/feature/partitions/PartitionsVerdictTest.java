package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.judge.ExpectationJudge;
import weir.plan.Sentence;
import weir.results.value.CapacityResult;
import weir.results.value.ExpectResult;
import weir.results.value.SearchResults;

class PartitionsVerdictTest {
    private static ExpectResult partitions(
            String sentence,
            @Nullable Integer number,
            @Nullable Integer low,
            @Nullable Integer high,
            boolean calculated) {
        PartitionsResult result = new PartitionsResult(
                "a",
                "10M/s",
                10e6,
                List.of(),
                new CapacityResult("a", List.of(), 320e3, 320e3, 340e3, "because", List.of()),
                List.of(),
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                number,
                low,
                high,
                calculated,
                "because");
        return new ExpectationJudge(List.of(), new SearchResults(List.of(result)))
                .of(List.of(Sentence.of(sentence)))
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "partitions > 20, passed",
        "partitions >= 34, passed",
        "partitions > 40, undecided",
        "partitions < 30, failed",
        "partitions < 40, undecided",
    })
    void lowerBoundIsJudgedIfMorePartitionsAreNeeded(String sentence, String verdict) {
        assertThat(partitions(sentence, null, 34, null, false).verdict()).isEqualTo(verdict);
        assertThat(partitions(sentence, null, null, null, false).verdict())
                .isEqualTo(sentence.contains(">") ? "failed" : "undecided");
    }

    @Test
    void calculatedPartitionsLeaveExpectationsUndecided() {
        assertThat(partitions("partitions < 40", 31, 29, 33, false).verdict()).isEqualTo("passed");
        for (String sentence : List.of("partitions < 40", "partitions > 40")) {
            ExpectResult open = partitions(sentence, 31, 29, 33, true);
            assertThat(open.verdict()).isEqualTo("undecided");
            assertThat(open.reason()).isEqualTo("31 [29, 33]; because");
        }
    }
}
