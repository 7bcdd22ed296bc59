package weir.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.MachineCaveats;
import weir.measure.DisturbanceReadings;
import weir.measure.Reading;
import weir.results.value.Caveat;
import weir.results.value.DisturbanceResult;
import weir.results.value.Event.DisturbedTime;
import weir.results.value.StressResult;

/** A measured phase from second 5 to 25, and a stress from 10 to 20. */
class StressJudgeTest {
    private static final String SOURCE = DisturbanceReadings.ofStress("neighbour");
    private static final DisturbedTime TIME = new DisturbedTime("neighbour", "4 threads", 10, 20, true);

    private final ProbeSeries readings = new ProbeSeries();

    private void asked(double memory, double disk, double cores) {
        readings.add(new Reading(10, SOURCE, DisturbanceReadings.ASKED_MEMORY, memory));
        readings.add(new Reading(10, SOURCE, DisturbanceReadings.ASKED_DISK, disk));
        readings.add(new Reading(10, SOURCE, DisturbanceReadings.ASKED_CORES, cores));
    }

    private void took(double memory, double written, double cores) {
        for (int second = 10; second < 20; second++) {
            readings.add(new Reading(second, SOURCE, DisturbanceReadings.MEMORY, second == 15 ? memory : memory / 2));
            readings.add(new Reading(second, SOURCE, DisturbanceReadings.WRITTEN, written / 10));
            readings.add(new Reading(second, SOURCE, DisturbanceReadings.CORES, cores));
        }
    }

    private void host(String metric, double before, double during) {
        for (int second = 0; second < 25; second++) {
            readings.add(new Reading(second, "host", metric, second < 10 ? before : during));
        }
    }

    private @Nullable StressResult judged() {
        return DisturbanceJudge.StressJudge.of(readings, TIME, 5, 25);
    }

    private List<Caveat> caveats() {
        CaveatCollector collector = new CaveatCollector(1);
        new MachineCaveats(collector)
                .stress(new DisturbanceResult(
                        "neighbour", "4 threads", 10, 20.0, 0, true, 0.0, null, null, null, judged()));
        return collector.found();
    }

    @Test
    void stressReportsRequestedAndUsedResources() {
        asked(2048, 1000, 0);
        took(1900, 600, 1.5);
        host("psi.memory.some.percent", 0, 30);
        host("disk.busy.percent", 1, 20);
        host("faults.major.per.s", 2, 800);
        StressResult stress = Objects.requireNonNull(judged());
        assertThat(stress.memory()).isEqualTo(new StressResult.Taken(2048.0, 1900.0));
        assertThat(stress.disk()).isEqualTo(new StressResult.Taken(1000.0, 600.0));
        assertThat(stress.memoryPressure()).isEqualTo(new StressResult.Effect(0.0, 30.0));
        assertThat(caveats()).isEmpty();
    }

    @Test
    void theAmountsOfAllHostsAreAddedUp() {
        for (String host : List.of("a", "a-b")) {
            String source = DisturbanceReadings.ofStress("neighbour", host);
            readings.add(new Reading(10, source, DisturbanceReadings.ASKED_MEMORY, 1024));
            readings.add(new Reading(12, source, DisturbanceReadings.MEMORY, host.equals("a") ? 1000 : 10));
            readings.add(new Reading(3, "host-" + host, "disk.busy.percent", 2));
            readings.add(new Reading(12, "host-" + host, "disk.busy.percent", host.equals("a") ? 30 : 50));
        }
        host("disk.busy.percent", 99, 99);
        StressResult stress = Objects.requireNonNull(judged());
        assertThat(stress.memory()).isEqualTo(new StressResult.Taken(2048.0, 1010.0));
        assertThat(stress.diskBusy()).isEqualTo(new StressResult.Effect(null, 40.0));
        assertThat(caveats())
                .extracting(Caveat::evidence)
                .containsExactly("neighbour: its goal was to hold 2 GiB, and it held 1,010 MiB");
    }

    /** The mistake of the document: bytes instead of kibibytes. */
    @Test
    void stressBelowItsRequestedMemoryRaisesACaveat() {
        asked(2048, 0, 0);
        took(2, 0, 1.5);
        assertThat(caveats())
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.evidence())
                        .isEqualTo("neighbour: its goal was to hold 2 GiB, and it held 2 MiB"));
    }

    @Test
    void aDiskThatWasBusyCouldDoNoMore() {
        asked(0, 1000, 0);
        took(0, 100, 0.5);
        host("disk.busy.percent", 1, 96);
        assertThat(caveats()).isEmpty();
    }

    @Test
    void aDiskThatWasIdleWasNotStressed() {
        asked(0, 1000, 0);
        took(0, 100, 0.5);
        host("disk.busy.percent", 1, 9);
        assertThat(caveats())
                .singleElement()
                .satisfies(caveat -> assertThat(caveat.evidence())
                        .isEqualTo("neighbour: its goal was to write 1,000 MiB, and it wrote 100 MiB while the"
                                + " disk was busy for 9 % of the time"));
    }

    @Test
    void aLimitOfTheDiskIsAllThatCanBeWritten() {
        asked(0, 1000, 0);
        readings.add(new Reading(10, SOURCE, DisturbanceReadings.MOST_WRITTEN, 15));
        took(0, 100, 0.5);
        assertThat(Objects.requireNonNull(judged()).disk()).isEqualTo(new StressResult.Taken(150.0, 100.0));
        assertThat(caveats()).isEmpty();
    }

    @Test
    void unusedStressCoresRaiseACaveat() {
        asked(0, 0, 2);
        assertThat(caveats())
                .singleElement()
                .satisfies(caveat ->
                        assertThat(caveat.evidence()).isEqualTo("neighbour: its goal was 2 busy cores, and it used 0"));
    }

    @Test
    void otherDisturbancesHaveNoStressResult() {
        assertThat(judged()).isNull();
    }
}
