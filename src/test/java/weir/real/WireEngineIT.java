package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.measure.Count;
import weir.measure.LatencyKind;
import weir.measure.Steps;

/** The wire engine, which keeps the contract except for groups. */
class WireEngineIT extends EngineContract {
    @Override
    protected Carried.Engines engines() {
        return Carrier.WIRE.alone();
    }

    @Test
    void topicThatIsDeletedAndMadeAgainEndsTheLoadWithThatReason() {
        assertTopicMadeAgainEndsTheLoad();
    }

    @ParameterizedTest
    @ValueSource(strings = {"deliver", "produce"})
    void whatIsCompressedAheadIsAccountedForLikeAnythingElse(String workload) throws Exception {
        Carried carried = carry("""
                topics: { t: { partitions: 3 } }
                load:
                  workload: %s
                  producers: 2
                  consumers: 2
                  rate: max
                  value: { size: 250B, content: { random: 50%% } }
                  producer: { compression.type: lz4 }
                warmup: { operations: 10k }
                measure: { operations: 50k }
                """.formatted(workload));
        assertWhole(carried.ledger.balance(Steps.MEASURE), 50_000);
        assertThat(carried.ledger.balance(Steps.MEASURE).of(Count.REORDERED)).isZero();
        assertThat(carried.ledger.balance(Steps.WARMUP, Steps.MEASURE).of(Count.ACKED))
                .isEqualTo(carried.endOffsets);
        assertThat(carried.numbers().latency(LatencyKind.E2E).count())
                .isEqualTo(workload.equals("deliver") ? 50_000 : 0);
    }
}
