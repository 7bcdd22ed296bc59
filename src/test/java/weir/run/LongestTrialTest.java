package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;
import weir.time.TimeLimit;

class LongestTrialTest {
    private static Duration of(String yaml) {
        return TrialRun.longest(Plans.only("topics: { t: {} }\n" + yaml));
    }

    @Test
    void aTimedTrialHasTwiceItsTimeItsLimitsAndHalfAnHour() {
        assertThat(of("load: { rate: 100/s }\nwarmup: 1m\nmeasure: 4m\ndrain: 20s\n"))
                .isEqualTo(Duration.ofMinutes(2 * 5 + 10 + 30).plusSeconds(20));
    }

    @Test
    void stepsTakeAsLongAsTheyLastWithTheirRests() {
        Duration plain = of("load: { rate: { steps: [100/s for 1m, 200/s for 2m] } }\nwarmup: none\nmeasure: null\n");
        Duration rested =
                of("load: { rate: { steps: [100/s for 1m, 200/s for 2m], rest: 30s } }\nwarmup: none\nmeasure: null\n");
        assertThat(rested.minus(plain)).isEqualTo(Duration.ofMinutes(1));
        assertThat(plain).isBetween(Duration.ofMinutes(46), Duration.ofMinutes(50));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "load: { rate: max }\nmeasure: { operations: 1000 }\n",
                "load: { rate: 100/s }\nwarmup: { operations: 1000 }\nmeasure: 1m\n",
                "load: { workload: consume, backlog: 1k records }\nmeasure: 1m\n"
            })
    void aTrialWhoseLengthNobodyKnowsHasNoLimit(String yaml) {
        assertThat(of(yaml)).isEqualTo(TimeLimit.NEVER);
    }
}
