package weir.feature.readers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import weir.feature.readers.ReadersFeature.Ability;
import weir.feature.readers.ReadersResult.Reader;
import weir.feature.readers.RebalanceResult.InVariant;
import weir.judge.trial.WrittenTrial;
import weir.load.read.ReaderActivity;
import weir.measure.DisturbanceReadings;
import weir.measure.Interval;
import weir.measure.Reading;
import weir.results.value.Event;

/** The judgement of readers by a trial of six seconds, in which a reader joins after two seconds and leaves after four. */
class ReadersJudgeTest extends WrittenTrial {
    private static final String PARTITION = DisturbanceReadings.PARTITION + "-t-";

    private void reading(double second, String source, String metric, double value) {
        writer.reading(new Reading(second, source, metric, value));
    }

    private void owner(double second, int partition, int reader) {
        reading(second, PARTITION + partition, ReaderActivity.OWNER, reader);
    }

    @BeforeEach
    void writesReaders() {
        writer.event(new Event(0, Event.PHASE, "measure"));
        writer.event(new Event(2, Event.DISTURBANCE, "join: 1 consumer joining"));
        writer.event(new Event(4, Event.DISTURBANCE_OVER, "join"));
        owner(-1, 0, 0);
        owner(-1, 1, 0);
        reading(-1, "reader-0", ReaderActivity.PARTITIONS, 2);
        reading(2.25, "reader-0", ReaderActivity.PARTITIONS, 0);
        owner(2.5, 0, 0);
        reading(2.5, "reader-0", ReaderActivity.PARTITIONS, 1);
        owner(2.75, 1, 1);
        reading(2.75, "reader-1", ReaderActivity.PARTITIONS, 1);
        reading(2.6, "reader-0", ReaderActivity.PAUSE, 350);
        reading(2.9, PARTITION + "1", DisturbanceReadings.READ_GAP, 660);
        owner(4.1, 1, 0);
        reading(4.1, "reader-0", ReaderActivity.PARTITIONS, 2);
        reading(4.2, "reader-0", ReaderActivity.PAUSE, 20);
    }

    @Test
    void rebalanceBelongsToTheLastChangeBeforeIt() {
        List<RebalanceResult> found = ReadersJudge.rebalances(List.of(new ReadersJudge(judged())));
        assertThat(found).extracting(RebalanceResult::cause).containsExactly("join", "join (end)");
        assertThat(found.get(0).variants())
                .containsExactly(new InVariant("base", "join", 1, 250.0, 750.0, 1, 350.0, 350.0, null, 1.0, 660.0));
        InVariant end = found.get(1).variants().get(0);
        assertThat(end.last()).isCloseTo(100, within(1e-6));
        assertThat(end.longest()).isEqualTo(20);
        assertThat(end.gap()).isNull();
    }

    @Test
    void trialsTogetherHaveTheGeometricMeanOfTheirLongestPauses() {
        ReadersJudge one = new ReadersJudge(judged());
        assertThat(ReadersJudge.rebalances(List.of(one, one)).get(0).variants())
                .containsExactly(new InVariant(
                        "base", "join", 2, 250.0, 750.0, 1, 350.0, 350.0, Interval.ofMean(350, 350), 1.0, 660.0));
    }

    @Test
    void answerNamesLengthAndPausesOfAskedRebalancesInEachVariant() {
        InVariant classic = new InVariant("classic", "join", 1, 250.0, 750.0, 3, 300.0, 350.0, null, 1.0, null);
        InVariant consumer = new InVariant("consumer", "join", 1, 250.0, 1_500.0, 0, null, null, null, 1.0, null);
        assertThat(new RebalanceResult("join", "", true, List.of(classic)).sentences())
                .containsExactly("the rebalance of “join” ended after 0.75 s; readers paused for at most 350 ms");
        assertThat(new RebalanceResult("join", "", true, List.of(classic, consumer)).sentences())
                .containsExactly("the rebalance of “join” ended after 0.75 s in “classic” and 1.5 s in “consumer”;"
                        + " readers paused for at most 350 ms in “classic”");
        assertThat(new RebalanceResult("crash", "", false, List.of(classic)).sentences())
                .isEmpty();
    }

    @Test
    void sharesOfAReaderAreMeansOfItsSeconds() {
        for (int second = 0; second < SECONDS; second++) {
            reading(second, "reader-0", ReaderActivity.RECORDS, 150);
            reading(second, "reader-0", ReaderActivity.WORKING, second < 3 ? 200 : 190);
            reading(second, "reader-0", ReaderActivity.FETCHING, 1);
            reading(second, "reader-0", ReaderActivity.LAG, second == 4 ? 90 : 10);
            reading(second, "reader-0", ReaderActivity.COMMITTING, 0.5);
        }
        ReadersResult result = ReadersJudge.readers(
                        Map.of("base", new Ability(2, 400)), List.of(new ReadersJudge(judged())))
                .get(0);
        Reader reader = result.readers().get(0);
        assertThat(reader.name()).isEqualTo("reader-0");
        assertThat(reader.rate()).isEqualTo(150);
        assertThat(reader.lag()).isEqualTo(90);
        assertThat(reader.working()).isCloseTo(97.5, within(1e-9));
        assertThat(reader.waiting()).isCloseTo(1, within(1e-9));
        assertThat(result.sentences().get(0))
                .startsWith("the readers can work on at most 400/s, and received ")
                .endsWith("; their work is the limit");
    }
}
