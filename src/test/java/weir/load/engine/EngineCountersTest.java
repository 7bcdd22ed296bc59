package weir.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EngineCountersTest {
    private enum Count {
        NANOS,
        REQUESTS
    }

    private final EngineCounters<Count> one = new EngineCounters<>(Count.class);
    private final EngineCounters<Count> two = new EngineCounters<>(Count.class);
    private final EngineCounters.Totals<Count> totals = new EngineCounters.Totals<>(Count.class);

    private Map<String, Double> mean() {
        Map<String, Double> figures = new TreeMap<>();
        totals.read(List.of(one, two));
        totals.mean(figures::put, "mean", Count.NANOS, Count.REQUESTS, 10);
        return figures;
    }

    @Test
    void meanIsOfTheGrowthOfAllCountersSinceThePreviousReport() {
        one.add(Count.NANOS, 100);
        one.add(Count.REQUESTS, 1);
        two.add(Count.NANOS, 500);
        two.add(Count.REQUESTS, 2);
        assertThat(mean()).containsOnly(Map.entry("mean", 20.0));
        two.add(Count.NANOS, 80);
        two.add(Count.REQUESTS, 1);
        assertThat(mean()).containsOnly(Map.entry("mean", 8.0));
        assertThat(totals.total(Count.NANOS)).isEqualTo(680);
        assertThat(totals.total(Count.REQUESTS)).isEqualTo(4);
    }

    @Test
    void meanWithoutGrowthIsOmitted() {
        one.add(Count.NANOS, 5);
        assertThat(mean()).isEmpty();
    }
}
