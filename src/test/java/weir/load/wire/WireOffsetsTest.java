package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Call;
import weir.wire.Connection;

@Timeout(30)
class WireOffsetsTest {
    private final FakeBrokers cluster = FakeBrokers.readable(2, 3, (short) 18);
    private final Connection.Options options = Connection.Options.named("weir-test");
    private final BootstrapBroker contact = new BootstrapBroker(cluster.bootstrap(), BrokerAccess.plaintext(), options);
    private final PartitionLeaders leaders = new PartitionLeaders(contact, List.of("t"), 300_000, 1, System::nanoTime);
    private final WireEngine.WireOffsets offsets =
            new WireEngine.WireOffsets(leaders, BrokerAccess.plaintext(), options, WireEngine.WireOffsets.TIMEOUT);

    WireOffsetsTest() throws IOException {}

    @BeforeEach
    void fill() {
        for (int partition = 0; partition < 3; partition++) {
            FakeBrokers.Log log = cluster.log(partition);
            log.beginning = 10L + partition;
            log.end = 100L + partition;
        }
    }

    @AfterEach
    void close() {
        offsets.close();
        leaders.close();
        contact.close();
        cluster.close();
    }

    private long[] ends() {
        return offsets.of(Call.Place.END, false);
    }

    @Test
    void leadersReportBeginningAndEndOffsets() {
        assertThat(ends()).containsExactly(100, 101, 102);
        assertThat(offsets.of(Call.Place.BEGINNING, false)).containsExactly(10, 11, 12);
    }

    @Test
    void endOffsetOfCommittedReaderIsTheLastStableOffset() {
        cluster.log(1).open = 30;
        assertThat(offsets.of(Call.Place.END, true)).containsExactly(100, 71, 102);
        assertThat(ends()).containsExactly(100, 101, 102);
    }

    @Test
    void aConnectionThatIsLostIsMadeAgainForTheNextQuestion() {
        ends();
        cluster.hangUp();
        // Only a request can show that a connection is lost.
        ends();
        assertThat(ends()).containsExactly(100, 101, 102);
    }

    @Test
    void aPartitionThatMovedIsUnknownUntilItsNewLeaderIsKnown() throws InterruptedException {
        Semaphore changes = new Semaphore(0);
        leaders.listen(changes::release);
        cluster.lead(0, 1);
        assertThat(ends()).containsExactly(-1, 101, 102);
        changes.acquire();
        assertThat(ends()).containsExactly(100, 101, 102);
    }

    @Test
    @Timeout(5)
    void closeLeavesNoConnection() throws InterruptedException {
        ends();
        offsets.close();
        leaders.close();
        contact.close();
        cluster.awaitNoConnection();
    }

    @Test
    void silentLeaderDelaysOnlyItsOwnPartitions() {
        cluster.silence(1);
        try (WireEngine.WireOffsets hasty =
                new WireEngine.WireOffsets(leaders, BrokerAccess.plaintext(), options, Duration.ofMillis(200))) {
            assertThat(hasty.of(Call.Place.END, false)).containsExactly(100, -1, 102);
        }
        cluster.silence(-1);
        assertThat(ends()).containsExactly(100, 101, 102);
    }
}
