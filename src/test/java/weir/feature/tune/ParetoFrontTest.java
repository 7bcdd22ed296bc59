package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.feature.tune.ParetoFront.Values;

class ParetoFrontTest {
    private static final Values REFERENCE = new Values(0, 10, 0);

    @Test
    void dominatedPointIsNotOnTheFront() {
        Values fast = new Values(3, 5, 1);
        Values slow = new Values(1, 1, 1);
        Values beaten = new Values(2, 6, 1);
        assertThat(ParetoFront.of(List.of(fast, slow, beaten))).containsExactly(fast, slow);
    }

    @Test
    void slowerButMoreDurablePointIsOnTheFront() {
        Values fast = new Values(3, 1, 1);
        Values durable = new Values(1, 9, 2);
        assertThat(ParetoFront.of(List.of(fast, durable))).containsExactly(fast, durable);
        assertThat(new Values(3, 1, 2).dominates(fast)).isTrue();
    }

    @Test
    void equalPointsDoNotDominateEachOther() {
        Values one = new Values(1, 1, 1);
        assertThat(one.dominates(new Values(1, 1, 1))).isFalse();
    }

    @Test
    void hypervolumeIsTheAreaThatPointsCoverTogether() {
        Values fast = new Values(4, 8, 0);
        Values early = new Values(2, 3, 0);
        // 4 × 2 of the fast point, and 2 × 5 more of the early point.
        assertThat(ParetoFront.hypervolume(List.of(fast, early), REFERENCE)).isCloseTo(18, within(1e-9));
        assertThat(ParetoFront.hypervolume(List.of(fast, early, new Values(1, 9, 0)), REFERENCE))
                .as("what is beaten adds nothing")
                .isCloseTo(18, within(1e-9));
        assertThat(ParetoFront.hypervolume(List.of(new Values(-1, 3, 0)), REFERENCE))
                .isZero();
    }

    @Test
    void dominatedPointAddsNoHypervolume() {
        Values durable = new Values(2, 5, 7);
        double alone = ParetoFront.hypervolume(List.of(durable), REFERENCE);
        assertThat(ParetoFront.hypervolume(List.of(durable, new Values(1, 6, 0), new Values(1, 6, 5)), REFERENCE))
                .isCloseTo(alone, within(1e-9));
    }

    @Test
    void higherClassIncludesLowerClasses() {
        Values durable = new Values(2, 5, 1);
        Values other = new Values(2, 5, 0);
        assertThat(ParetoFront.hypervolume(List.of(durable, other), REFERENCE)).isCloseTo(20, within(1e-9));
        assertThat(ParetoFront.hypervolume(List.of(durable), REFERENCE)).isCloseTo(20, within(1e-9));
        assertThat(ParetoFront.hypervolume(List.of(other), REFERENCE)).isCloseTo(10, within(1e-9));
    }
}
