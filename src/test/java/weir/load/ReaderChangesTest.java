package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.DisturbanceSpec;
import weir.plan.ReaderChange;

class ReaderChangesTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> done = new ArrayList<>();
    private final ReaderChanges changes = new ReaderChanges(
            2,
            reader -> done.add("join " + reader),
            (reader, how) -> done.add(how.how() + " " + reader),
            (reader, how) -> done.add((how.none() ? "continue " : "hold ") + reader));

    private record Change(Duration at, Duration length, ReaderChange readers) implements DisturbanceSpec {}

    private static Change change(int at, int length, int joining, int leaving, ReaderChange.How how) {
        return new Change(Duration.ofSeconds(at), Duration.ofSeconds(length), new ReaderChange(joining, leaving, how));
    }

    private List<String> until(int second) {
        done.clear();
        changes.tend(100 + second * SECOND);
        return List.copyOf(done);
    }

    @Test
    void newReadersGetNewNumbersAndLeaveWhenTheChangeEnds() {
        changes.begin(List.of(change(2, 3, 2, 0, ReaderChange.How.CLOSE)), 100);
        assertThat(until(1)).isEmpty();
        assertThat(until(2)).containsExactly("join 2", "join 3");
        assertThat(until(4)).isEmpty();
        assertThat(until(5)).containsExactly("CLOSE 2", "CLOSE 3");
    }

    @Test
    void killedReadersReturnWithTheirNumbers() {
        changes.begin(List.of(change(1, 1, 0, 1, ReaderChange.How.KILL)), 100);
        assertThat(until(1)).containsExactly("KILL 1");
        assertThat(until(2)).containsExactly("join 1");
    }

    @Test
    void pausedReadersContinue() {
        changes.begin(List.of(change(1, 1, 0, 1, ReaderChange.How.PAUSE)), 100);
        assertThat(until(1)).containsExactly("hold 1");
        assertThat(until(9)).containsExactly("continue 1");
    }

    @Test
    void lastReadersThatJoinedLeaveFirst() {
        changes.begin(
                List.of(change(3, 0, 0, 2, ReaderChange.How.CLOSE), change(1, 0, 1, 0, ReaderChange.How.CLOSE)), 100);
        assertThat(until(1)).containsExactly("join 2");
        assertThat(until(3)).containsExactly("CLOSE 1", "CLOSE 2");
    }
}
