package weir.feature.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.trend.ChangePoints.Found;
import weir.feature.trend.SyntheticSeries.Noise;

class LevelChangeTest {
    /** {@code make claims} uses more. */
    private static final int HISTORIES = Integer.getInteger("trend.histories", 60);

    private static final int RUNS = 63;

    /** The runs of all series are alike. Other tests cover other changes. */
    private static final List<HistoryEntry> ENTRIES =
            new SyntheticHistory().nights(RUNS).runs();

    /** Checks all found steps of 5 % at the run that finds them, as words.yaml and decision 0041 say. */
    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.02, 0.03})
    void intervalContainsNinetyFivePercentOfTrueChanges(double deviation) {
        SyntheticSeries series = new SyntheticSeries(43, Noise.NORMAL, deviation);
        int found = 0;
        int held = 0;
        for (int i = 0; i < HISTORIES; i++) {
            int at = series.between(ChangePoints.FEWEST, RUNS - 8);
            double ratio = i % 2 == 0 ? 1.05 : 0.95;
            double[] values = series.stepped(RUNS, at, ratio);
            List<Found> all = ChangePoints.of(values, 1).found();
            int index = IntStream.range(0, all.size())
                    .filter(one ->
                            all.get(one).seen() > at && Math.abs(all.get(one).at() - at) <= 5)
                    .findFirst()
                    .orElse(-1);
            if (index >= 0) {
                found++;
                RunTrend.Change told = told(values, all.subList(0, index + 1));
                held += told.low() <= ratio && ratio <= told.high() ? 1 : 0;
            }
        }
        assertThat(found).isGreaterThan(HISTORIES * 3 / 4);
        // An interval that contains all steps would say nothing: 95.7 to 98.9.
        assertThat(100.0 * held / found).isBetween(95.0, HISTORIES > 1000 ? 99.5 : 100);
    }

    private static RunTrend.Change told(double[] values, List<Found> found) {
        int seen = found.get(found.size() - 1).seen();
        List<RunTrend.Point> points = IntStream.range(0, seen)
                .mapToObj(at -> new RunTrend.Point(at, values[at], values[at], values[at]))
                .toList();
        return new LevelChange(new TrendJudge.WatchedMetric("base", "response p99", true, points), ENTRIES, found)
                .change(found.size() - 1);
    }
}
