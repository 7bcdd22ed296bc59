package weir.feature.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weir.http.EventStream;
import weir.measure.Reading;
import weir.plan.SyntheticTrial;
import weir.plan.trial.Trial;
import weir.results.WindowRow;
import weir.results.WindowRows;

/** The way of a second from who measures to who looks. */
class SecondTellerTest {
    private static final Trial TRIAL = SyntheticTrial.of(1, "base", 1);
    private static final int FEW = 4;

    private final EventStream events = new EventStream(1 << 16);
    private final RunPlace place = new RunPlace(() -> 0);
    private final RenderTurns turns = new RenderTurns(() -> 0);
    private final RunPage.SecondTeller teller = new RunPage.SecondTeller(FEW, events, place, turns);

    private static WindowRow row(int second) {
        return WindowRows.of(second, 2, 10, 10, 0, 10, Map.of(), 0, 0);
    }

    private void offer(int seconds) {
        for (int second = 0; second < seconds; second++) {
            teller.window(TRIAL, row(second));
        }
    }

    @Test
    void whoMeasuresQueuesAndDoesNothingElse() {
        AtomicInteger read = new AtomicInteger();
        RunPage page = new RunPage(read::incrementAndGet, () -> {});
        EventStream heard = page.streams().get(0);
        int before = read.get();
        for (int second = 0; second < RunPage.SecondTeller.MOST + 10; second++) {
            page.reading(TRIAL, new Reading(second, "broker-1", "cpu.cores", 1));
            page.window(TRIAL, row(second));
        }
        assertThat(heard.last()).as("nothing is told or made").isZero();
        assertThat(read).as("no time is read, for nothing is timed").hasValue(before);
        page.close();
        assertThat(heard.has(0)).as("too many are dropped, and told of").isFalse();
    }

    @Test
    void eachSecondIsToldOnceToThoseWhoLook() {
        offer(3);
        teller.tell(true);
        teller.tell(true);
        assertThat(events.last()).isEqualTo(3);
        assertThat(events.has(0)).isTrue();
        assertThat(turns.take()).as("a report is wanted").isTrue();
    }

    @Test
    void secondsThatNobodyLooksAtAreNotMadeAndWhoeverComesLaterReadsTheReportAnew() {
        offer(1);
        teller.tell(false);
        long before = events.last();
        offer(1);
        teller.tell(false);
        assertThat(events.has(before)).isFalse();
        offer(1);
        long now = events.last();
        teller.tell(true);
        assertThat(events.has(now)).as("from now on all are there").isTrue();
        assertThat(events.last()).isEqualTo(now + 1);
    }

    @Test
    void afterAFullQueueEverybodyReadsTheReportAnewAndOneIsMadeOutOfTurn() {
        turns.want(false);
        assertThat(turns.take()).isTrue();
        turns.made(0, RenderTurns.AHEAD.toNanos() * 100, 0);
        offer(FEW + 1);
        long before = events.last();
        teller.tell(true);
        assertThat(events.last()).as("one event for all").isEqualTo(before + 1);
        assertThat(events.has(before)).isFalse();
        offer(1);
        teller.tell(true);
        assertThat(events.last()).as("the next is told again").isEqualTo(before + 2);
    }

    @Test
    void theStateIsToldWhenItHasChanged() {
        teller.tell(true);
        place.news("a");
        place.news("b");
        teller.tell(true);
        teller.tell(true);
        assertThat(events.last()).isEqualTo(1);
    }
}
