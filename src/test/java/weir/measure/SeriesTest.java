package weir.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private final Series series = new Series();

    private static Snapshot window(long index, int step, int due) {
        Snapshot snapshot = new Snapshot(index);
        snapshot.at(step).add(Count.DUE, due);
        return snapshot;
    }

    private List<String> take(long index) {
        return series.take(index).stream()
                .map(window -> window.index() + ": " + window.all().due())
                .toList();
    }

    @Test
    void partsOfAWindowAreOneAndComeInOrder() {
        series.add(window(2, 2, 1));
        series.add(window(0, 1, 2));
        series.add(window(2, 2, 4));
        series.add(window(2, 3, 8));
        assertThat(take(Long.MAX_VALUE)).containsExactly("0: 2", "2: 13");
    }

    @Test
    void onlyWindowsThatAreOverAreTakenAndOnlyOnce() {
        series.add(window(0, 2, 1));
        series.add(window(1, 2, 2));
        assertThat(take(1)).containsExactly("0: 1");
        assertThat(take(1)).isEmpty();
        assertThat(take(2)).containsExactly("1: 2");
    }

    @Test
    void whatComesTooLateIsTakenLater() {
        series.add(window(0, 2, 1));
        assertThat(take(5)).containsExactly("0: 1");
        series.add(window(0, 2, 7));
        assertThat(take(5)).containsExactly("0: 7");
        assertThat(series.total(2).due()).isEqualTo(8);
    }

    @Test
    void totalsAreByStep() {
        series.add(window(0, 0, 1));
        series.add(window(1, 1, 2));
        series.add(window(2, 2, 4));
        series.add(window(3, 3, 8));
        take(2);
        assertThat(series.total(2).due()).isEqualTo(4);
        assertThat(series.total(Steps.MEASURE, Integer.MAX_VALUE).due()).isEqualTo(12);
        assertThat(series.total(9).due()).isZero();
    }

    @Test
    void aSnapshotThatIsUsedAgainDoesNotChangeTheSeries() {
        Snapshot reused = window(0, 2, 1);
        series.add(reused);
        reused.clear(1);
        reused.at(2).add(Count.DUE, 50);
        assertThat(series.total(2).due()).isEqualTo(1);
    }
}
