package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.Sentence;
import weir.results.value.CapacityResult;
import weir.results.value.ExpectResult;
import weir.results.value.SearchResults;

class SearchVerdictsTest {
    private static CapacityResult found(String of, @Nullable Double low, @Nullable Double high) {
        return new CapacityResult(of, List.of(), low, low, high, "because", List.of());
    }

    private static List<ExpectResult> judge(String sentence, CapacityResult... found) {
        return new ExpectationJudge(List.of(), new SearchResults(List.of(found))).of(List.of(Sentence.of(sentence)));
    }

    @ParameterizedTest
    @CsvSource({
        "capacity > 50k/s, passed",
        "capacity > 61k/s, undecided",
        "capacity > 70k/s, failed",
        "capacity < 70k/s, passed",
        "capacity >= 60k/s, passed",
        "capacity of a / b > 1.5, passed",
        "capacity of a / b > 2, undecided",
        "capacity of a / b > 3, failed",
        "capacity of b / a < 0.9, passed",
        "capacity of a / b same within 10%, failed",
        "capacity of a / a same within 10%, passed",
    })
    void aSentenceHoldsWhenTheWholeIntervalDoes(String sentence, String verdict) {
        CapacityResult[] found = {found("a", 60_000.0, 62_000.0), found("b", 30_000.0, 31_000.0)};
        assertThat(judge(sentence.contains(" of ") ? sentence : sentence.replace("capacity ", "capacity of a "), found)
                        .get(0)
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void searchExpectationWithoutVariantAppliesToEachVariant() {
        assertThat(judge("capacity > 50k/s", found("a", 60_000.0, 62_000.0), found("b", 30_000.0, 31_000.0)))
                .extracting(ExpectResult::text, ExpectResult::verdict)
                .containsExactly(tuple("capacity > 50k/s (a)", "passed"), tuple("capacity > 50k/s (b)", "failed"));
    }

    @Test
    void capacityWithoutUpperBoundIsUndecidedAgainstAMaximum() {
        assertThat(judge("capacity > 50k/s", found("a", 60_000.0, null)).get(0).verdict())
                .isEqualTo("passed");
        assertThat(judge("capacity < 70k/s", found("a", 60_000.0, null)).get(0).verdict())
                .isEqualTo("undecided");
    }

    @ParameterizedTest
    @CsvSource({
        "capacity of a / b > 2, passed",
        "capacity of a / b > 2.5, undecided",
        "capacity of a / b < 2, failed",
        "capacity of b / a < 0.6, passed",
        "capacity of b / a > 0.6, failed",
        "capacity of a / a > 0.5, undecided",
    })
    void aRatioWithOneEndThatIsNotKnownIsJudgedByTheOther(String sentence, String verdict) {
        assertThat(judge(sentence, found("a", 65_000.0, null), found("b", 30_000.0, 31_000.0))
                        .get(0)
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void failedCapacityExpectationReportsTheReason() {
        ExpectResult none = judge("capacity > 1/s", found("a", null, null)).get(0);
        assertThat(none.verdict()).isEqualTo("failed");
        assertThat(none.reason()).isEqualTo("because");
        assertThat(judge("capacity > 1/s").get(0).verdict()).isEqualTo("failed");
    }
}
