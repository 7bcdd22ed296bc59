package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.Expectation;
import weir.plan.Expectation.Operator;
import weir.plan.Expectation.Unit;
import weir.plan.Ratio;
import weir.results.ExpectResult;
import weir.results.TrialResult;

class VerdictsTest {
    private static final Expectation P99_BELOW_5MS = below("response", "p99", 0.005, Unit.SECONDS);

    private static Expectation below(String metric, String stat, double value, Unit unit) {
        return new Expectation(
                metric + " " + stat, metric, stat, "", "", "", Operator.BELOW, value, unit, new Ratio(1));
    }

    private static Expectation of(Expectation e, String of, String over, Operator operator, double value) {
        return new Expectation(
                e.text(), e.metric(), e.stat(), of, over, e.during(), operator, value, e.unit(), e.windows());
    }

    private static ExpectResult judge(Expectation expectation, TrialResult... trials) {
        return new Verdicts(List.of(trials)).of(List.of(expectation)).get(0);
    }

    @Test
    void aLatencyIsTheMedianOfTheTrials() {
        ExpectResult result = judge(
                P99_BELOW_5MS,
                Sample.GOOD.p99(4).trial("a", 1),
                Sample.GOOD.p99(90).trial("a", 2),
                Sample.GOOD.p99(3).trial("a", 3));
        assertThat(result.verdict()).isEqualTo(Verdicts.HELD);
        assertThat(result.value()).isEqualTo(0.004);
    }

    @Test
    void aCountIsThatOfTheWorstTrial() {
        Expectation noLoss = of(below("lost", "", 0, Unit.RECORDS), "a", "", Operator.EQUAL, 0);
        ExpectResult result =
                judge(noLoss, Sample.GOOD.trial("a", 1), Sample.GOOD.lost(7L).trial("a", 2), Sample.GOOD.trial("a", 3));
        assertThat(result.verdict()).isEqualTo(Verdicts.FAILED);
        assertThat(result.value()).isEqualTo(7);
    }

    @Test
    void whatNobodyLookedAtFails() {
        Expectation noLoss = of(below("lost", "", 0, Unit.RECORDS), "a", "", Operator.EQUAL, 0);
        ExpectResult result = judge(noLoss, Sample.GOOD.lost(null).trial("a", 1));
        assertThat(result.verdict()).isEqualTo(Verdicts.FAILED);
        assertThat(result.value()).isNull();
    }

    @Test
    void aThinPercentileFails() {
        assertThat(judge(P99_BELOW_5MS, Sample.GOOD.count(999).trial("a", 1)).verdict())
                .isEqualTo(Verdicts.FAILED);
        assertThat(judge(P99_BELOW_5MS, Sample.GOOD.count(1_000).trial("a", 1)).verdict())
                .isEqualTo(Verdicts.HELD);
    }

    @Test
    void aSentenceWithoutAVariantIsSaidOfEach() {
        List<ExpectResult> results = new Verdicts(
                        List.of(Sample.GOOD.trial("a", 1), Sample.GOOD.p99(50).trial("b", 1)))
                .of(List.of(P99_BELOW_5MS));
        assertThat(results).extracting(ExpectResult::verdict).containsExactly(Verdicts.HELD, Verdicts.FAILED);
        assertThat(results.get(1).text()).contains("(b)");
    }

    @Test
    void aRatioDividesTheFigures() {
        Expectation slower = of(P99_BELOW_5MS, "b", "a", Operator.ABOVE, 5);
        ExpectResult result =
                judge(slower, Sample.GOOD.trial("a", 1), Sample.GOOD.p99(40).trial("b", 1));
        assertThat(result.verdict()).isEqualTo(Verdicts.HELD);
        assertThat(result.value()).isEqualTo(10);
    }

    @Test
    void achievedIsAckedOverOffered() {
        Expectation achieved = of(below("achieved", "", 0, Unit.SHARE), "", "", Operator.AT_LEAST, 0.995);
        assertThat(judge(achieved, Sample.GOOD.acked(996).trial("a", 1)).verdict())
                .isEqualTo(Verdicts.HELD);
        assertThat(judge(achieved, Sample.GOOD.acked(990).trial("a", 1)).verdict())
                .isEqualTo(Verdicts.FAILED);
    }

    @Test
    void aStepIsFoundByItsLabel() {
        Expectation during = new Expectation(
                "failed during 1000/s == 0",
                "failed",
                "",
                "",
                "",
                "1000/s",
                Operator.EQUAL,
                0,
                Unit.RECORDS,
                new Ratio(1));
        assertThat(judge(during, Sample.GOOD.trial("a", 1)).verdict()).isEqualTo(Verdicts.HELD);
        Expectation elsewhere = new Expectation(
                "failed during 2000/s == 0",
                "failed",
                "",
                "",
                "",
                "2000/s",
                Operator.EQUAL,
                0,
                Unit.RECORDS,
                new Ratio(1));
        assertThat(judge(elsewhere, Sample.GOOD.trial("a", 1)).verdict()).isEqualTo(Verdicts.FAILED);
    }
}
