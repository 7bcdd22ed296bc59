package weir.load.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.load.OneInbox;
import weir.load.read.Inbox;
import weir.measure.Balance;
import weir.measure.Count;

@Timeout(30)
class WireReceiverTest extends ReaderOfFakes {
    WireReceiverTest() throws IOException {}

    @ParameterizedTest
    @ValueSource(ints = {4, 7, 11, 12, 13, 18})
    void everyRecordOfSeveralPartitionsIsReadOnce(int version) throws Exception {
        cluster(2, 5, version);
        read();
        for (int batch = 0; batch < 20; batch++) {
            for (int partition = 0; partition < 5; partition++) {
                write(partition, partition, batch * EACH, CODECS.get(batch % CODECS.size()));
            }
            if (batch % 7 == 0) {
                untilRead(batch % 5, offset(batch));
            }
        }
        for (int partition = 0; partition < 5; partition++) {
            into.acked(partition, 200);
            untilRead(partition, 200);
        }
        assertThat(facts(balance(200, 200, 200, 200, 200))).containsExactly(1000L, 0L, 0L, 0L, 0L);
        assertThat(into.received()).isEqualTo(1000);
        assertThat(tally.now(WireCount.RECORDS)).isEqualTo(1000);
    }

    @Test
    void movedPartitionDoesNotAffectOthersOfTheAnswer() throws Exception {
        cluster(1, 2);
        write(0, 0, 0);
        write(1, 1, 0);
        AtomicBoolean moved = new AtomicBoolean();
        cluster.change(answer -> answer.responses().forEach(topic -> {
            if (topic.partitions().size() == 2 && moved.compareAndSet(false, true)) {
                topic.partitions()
                        .get(0)
                        .setErrorCode(Errors.NOT_LEADER_OR_FOLLOWER.code())
                        .setRecords(MemoryRecords.EMPTY);
            }
        }));
        read();
        untilRead(0, 10);
        untilRead(1, 10);
        assertThat(moved).isTrue();
        into.acked(0, 10);
        into.acked(1, 10);
        assertThat(facts(balance(10, 10))).containsExactly(20L, 0L, 0L, 0L, 0L);
    }

    @Test
    void fetchSessionSendsOnlyChangedPartitions() throws Exception {
        cluster(1, 4);
        write(0, 0, 0);
        read();
        untilRead(0, 10);
        write(2, 0, 10);
        untilRead(2, 10);
        int before = cluster.asked.size();
        until(() -> cluster.asked.size() > before + 1);
        stop.run();
        stop = () -> {};
        assertThat(cluster.asked.get(0).topics().get(0).partitions()).hasSize(4);
        long named = cluster.asked.stream()
                .skip(1)
                .flatMap(request -> request.topics().stream())
                .mapToLong(topic -> topic.partitions().size())
                .sum();
        assertThat(named).isEqualTo(2);
        assertThat(cluster.asked.get(cluster.asked.size() - 1).sessionId()).isEqualTo(100);
    }

    @Test
    void aSessionThatTheBrokerForgotIsBegunAgain() throws Exception {
        cluster(1, 2);
        into.acked(0, 30);
        read();
        write(0, 0, 0);
        untilRead(0, 10);
        cluster.forgetSessions();
        write(1, 0, 10);
        untilRead(1, 10);
        write(0, 0, 20);
        untilRead(0, 20);
        assertThat(facts(balance(20, 10))).containsExactly(30L, 0L, 0L, 0L, 0L);
    }

    @Test
    void aPartitionIsFollowedToItsNewLeader() throws Exception {
        // The first leader stores another partition.
        cluster(2, 4);
        into.acked(0, 50);
        read();
        write(0, 0, 0);
        write(2, 0, 40);
        untilRead(0, 10);
        untilRead(2, 10);
        cluster.lead(0, 1);
        write(0, 0, 10);
        untilRead(0, 20);
        cluster.lead(0, 0);
        cluster.lead(1, 0);
        write(0, 0, 20);
        write(1, 0, 30);
        untilRead(0, 30);
        untilRead(1, 10);
        assertThat(facts(balance(30, 10, 10, 0))).containsExactly(50L, 0L, 0L, 0L, 0L);
    }

    @Test
    void connectionsThatAreCutAreMadeAgain() throws Exception {
        into.acked(0, 50);
        read();
        for (int batch = 0; batch < 5; batch++) {
            write(0, 0, batch * EACH);
            untilRead(0, offset(batch + 1));
            cluster.hangUp();
        }
        assertThat(facts(balance(50))).containsExactly(50L, 0L, 0L, 0L, 0L);
    }

    @Test
    void readerSkipsRemovedRecords() throws Exception {
        into.acked(0, 30);
        write(0, 0, 0);
        write(0, 0, 10);
        cluster.log(0).beginning = 13;
        read();
        untilRead(0, 20);
        assertThat(into.expired(0, 13)).isEqualTo(13);
        assertThat(balance(20).of(Count.RECEIVED)).isEqualTo(7);
    }

    @Test
    void readingContinuesAtTheLastPositionOfTheEarlierStep() throws Exception {
        into = OneInbox.of(1, Inbox.Counting.BACKLOG);
        into.acked(0, 60);
        for (int batch = 0; batch < 6; batch++) {
            write(0, 0, batch * EACH);
        }
        readInSteps();
        assertThat(facts(balance(60))).containsExactly(60L, 0L, 0L, 0L, 0L);
        assertThat(into.received()).isEqualTo(60);
    }

    @Test
    void receiverFetchesOnlyOnDemand() throws Exception {
        into = OneInbox.of(1, Inbox.Counting.BACKLOG);
        write(0, 0, 0);
        read();
        into.want(4);
        untilRead(0, 4);
        until(() -> cluster.asked.size() > 1);
        // One request was sent ahead, and gets no records.
        Thread.sleep(60);
        assertThat(cluster.asked).hasSize(2);
    }

    @Test
    void abortedTransactionsAreLeftOutForReadersOfCommittedRecords() throws Exception {
        committed = true;
        into.acked(0, 40);
        transaction(0, ControlRecordType.ABORT);
        transaction(10, ControlRecordType.COMMIT);
        cluster.log(0).aborted.add(new FakeBrokers.Aborted(9, 0, 10));
        read();
        untilRead(0, 22);
        assertThat(balance(22).of(Count.RECEIVED)).isEqualTo(10);
        assertThat(into.received()).isEqualTo(10);
    }

    private void transaction(int first, ControlRecordType end) {
        long offset = cluster.log(0).end;
        cluster.append(
                0,
                MemoryRecords.withTransactionalRecords(
                        offset, Compression.NONE, 9, (short) 0, first, 1, records(0, first)),
                EACH);
        cluster.append(
                0,
                MemoryRecords.withEndTransactionMarker(
                        offset + EACH, 0, 1, 9, (short) 0, new EndTransactionMarker(end, 0)),
                1);
    }

    @Test
    void truncatedLogIsReadFromTheDivergingOffset() throws Exception {
        into.acked(0, 30);
        write(0, 0, 0);
        write(0, 0, 10);
        read();
        untilRead(0, 20);
        FetchResponseData.PartitionData parts = new FetchResponseData.PartitionData()
                .setRecords(MemoryRecords.EMPTY)
                .setDivergingEpoch(
                        new FetchResponseData.EpochEndOffset().setEpoch(1).setEndOffset(10));
        cluster.change(data -> {
            cluster.change(next -> {});
            cluster.log(0).batches.remove(1);
            cluster.log(0).end = 10;
            data.responses()
                    .add(new FetchResponseData.FetchableTopicResponse()
                            .setTopicId(new Uuid(5, 6))
                            .setPartitions(List.of(parts)));
        });
        until(() -> into.position(0) == 10);
        write(0, 0, 20);
        untilRead(0, 20);
        Balance balance = balance(20);
        assertThat(balance.of(Count.RECEIVED)).isEqualTo(30);
        assertThat(balance.of(Count.REREAD)).isZero();
    }

    @Test
    void throttlingBrokerIsPausedForItsThrottleTime() throws Exception {
        read();
        write(0, 0, 0);
        untilRead(0, 10);
        cluster.change(data -> data.setThrottleTimeMs(200));
        until(() -> tally.now(WireCount.THROTTLE_MILLIS) > 0);
        long since = System.nanoTime();
        long until = tally.now(WireCount.THROTTLE_MILLIS) + 400;
        until(() -> tally.now(WireCount.THROTTLE_MILLIS) >= until);
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(Duration.ofMillis(300));
    }

    @Test
    void aTopicThatWasMadeAgainEndsTheReader() throws Exception {
        read();
        write(0, 0, 0);
        untilRead(0, 10);
        cluster.makeTopicAgain();
        until(() -> death.get() != null);
        assertThat(death.get()).hasMessage("topic 't' was deleted and created again during the run");
    }

    @Test
    void fatalFetchErrorEndsTheReader() throws Exception {
        cluster.change(data -> data.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code()));
        read();
        until(() -> death.get() != null);
        assertThat(death.get())
                .hasMessageContaining("CLUSTER_AUTHORIZATION_FAILED")
                .hasMessageContaining("localhost:");
    }

    @Test
    void damagedRecordsEndTheReaderWithThePartition() throws Exception {
        MemoryRecords batch = MemoryRecords.withRecords(0, Compression.NONE, records(0, 0));
        batch.buffer().put(100, (byte) 99);
        cluster.append(0, batch, EACH);
        read();
        until(() -> death.get() != null);
        assertThat(death.get())
                .hasMessageContaining("reader: broker localhost:")
                .hasMessageContaining(": partition t-0: record batches")
                .hasMessageContaining("CRC");
    }
}
