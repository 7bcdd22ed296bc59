package weir.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.PhaseTimes;
import weir.pace.StepWindow;

class StepPausesTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private long inFlight;
    private long passed;
    private final List<Long> collected = new ArrayList<>();

    private Load.StepPauses rests(long restSeconds) {
        List<StepWindow> steps = List.of(
                new StepWindow(0, 0, 10 * SECOND, 1, "1/s"),
                new StepWindow(1, (10 + restSeconds) * SECOND, 10 * SECOND, 1, "1/s"),
                new StepWindow(2, (20 + 2 * restSeconds) * SECOND, 10 * SECOND, 1, "1/s"));
        return new Load.StepPauses(steps, 0, () -> inFlight, () -> passed, () -> {
            collected.add(now);
            now += SECOND / 20;
        });
    }

    private void go(Load.StepPauses rests, long seconds) {
        for (long end = now + seconds * SECOND; now < end; now += SECOND / 100) {
            rests.tend(() -> now);
        }
    }

    @Test
    void garbageIsCollectedOnceInEachRestWhenAllHasArrived() {
        Load.StepPauses rests = rests(5);
        go(rests, 40);
        assertThat(collected).hasSize(2);
        assertThat(collected.get(0)).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(collected.get(1)).isBetween(25 * SECOND, 26 * SECOND);
        assertThat(rests.over).extracting(PhaseTimes.Rest::startNanos).containsExactly(10 * SECOND, 25 * SECOND);
        PhaseTimes.Rest first = rests.over.get(0);
        assertThat(first.inFlight()).isZero();
        assertThat(first.collectedNanos() - first.flushedNanos()).isEqualTo(SECOND / 20);
    }

    @Test
    void whatIsOnItsWayIsWaitedForButNotIntoTheNextStep() {
        inFlight = 7;
        Load.StepPauses rests = rests(4);
        go(rests, 15);
        assertThat(collected).hasSize(1);
        assertThat(collected.get(0)).isEqualTo(13 * SECOND);
        assertThat(rests.over.get(0).inFlight()).isEqualTo(7);
    }

    @Test
    void itIsWaitedForFiveSecondsAtMost() {
        inFlight = 7;
        Load.StepPauses rests = rests(60);
        go(rests, 30);
        assertThat(collected).containsExactly(15 * SECOND);
    }

    @Test
    void aReaderThatStillReadsIsWaitedFor() {
        Load.StepPauses rests = rests(5);
        for (int i = 0; i < 1_200; i++, now += SECOND / 100) {
            passed++;
            rests.tend(() -> now);
        }
        assertThat(collected).isEmpty();
        go(rests, 1);
        assertThat(collected).hasSize(1);
    }

    @Test
    void aRestThatIsTooShortForACollectionIsLeftAlone() {
        Load.StepPauses rests = rests(1);
        go(rests, 40);
        assertThat(collected).isEmpty();
        assertThat(rests.over).isEmpty();
    }
}
