package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.LoadListener;
import weir.measure.Reading;
import weir.measure.Snapshot;

class MergedListenerTest {
    private final List<String> heard = new ArrayList<>();

    private final Fleet.MergedListener chorus = new Fleet.MergedListener(
            new LoadListener() {
                @Override
                public void window(Snapshot snapshot) {
                    heard.add("window");
                }

                @Override
                public void window(int worker, Snapshot snapshot) {
                    heard.add("window of " + worker);
                }

                @Override
                public void reading(Reading reading) {
                    heard.add((long) reading.second() + " " + reading.source() + " " + reading.metric() + " "
                            + reading.value());
                }

                @Override
                public void event(String text) {
                    heard.add(text);
                }
            },
            2);

    @Test
    void whatAWorkerSeesOfItselfKeepsItsNumber() {
        chorus.part(0).reading(new Reading(3, "generator", "cpu.cores", 0.5));
        chorus.part(1).reading(new Reading(3, "generator", "cpu.cores", 0.7));
        chorus.part(1).event("lost its broker");
        assertThat(heard)
                .containsExactly(
                        "3 generator-1 cpu.cores 0.5", "3 generator-2 cpu.cores 0.7", "worker 2: lost its broker");
    }

    @Test
    void lagIsAddedUpOnceAllHaveToldIt() {
        chorus.part(0).reading(new Reading(3, "readers", "lag.records", 10));
        assertThat(heard).isEmpty();
        chorus.part(1).reading(new Reading(3, "readers", "lag.records", 7));
        assertThat(heard).containsExactly("3 readers lag.records 17.0");
    }

    @Test
    void theOldestRecordIsThatOfTheWorkerThatIsFurthestBehind() {
        chorus.part(1).reading(new Reading(3, "readers", "lag.seconds", 4));
        chorus.part(0).reading(new Reading(3, "readers", "lag.seconds", 1));
        assertThat(heard).containsExactly("3 readers lag.seconds 4.0");
    }

    @Test
    void aSecondThatOneWorkerMissedIsNotToldTooLow() {
        chorus.part(0).reading(new Reading(3, "readers", "lag.records", 10));
        chorus.part(0).reading(new Reading(4, "readers", "lag.records", 20));
        chorus.part(1).reading(new Reading(4, "readers", "lag.records", 5));
        chorus.part(1).reading(new Reading(5, "readers", "lag.records", 5));
        assertThat(heard).containsExactly("4 readers lag.records 25.0");
    }

    @Test
    void whatAllSeeAlikeIsHeardOnce() {
        chorus.part(0).reading(new Reading(3, "transactions", "open.records", 8));
        chorus.part(1).reading(new Reading(3, "transactions", "open.records", 8));
        assertThat(heard).containsExactly("3 transactions open.records 8.0");
    }
}
