package weir.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AbortedTransactionsTest {
    /** Producers take turns at random; what the log holds is told by hand. */
    @ParameterizedTest
    @ValueSource(shorts = {4, 11, 12, 18})
    void onlyBatchesOfAbortedTransactionsAreLeftOut(short version) throws IOException {
        SplittableRandom random = new SplittableRandom(version);
        Written log = new Written(random);
        List<FetchResponseData.AbortedTransaction> aborted = new ArrayList<>();
        List<Boolean> wanted = new ArrayList<>();
        int producers = 4;
        long[] first = {-1, -1, -1, -1};
        List<List<Integer>> batches =
                List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 400; i++) {
            int producer = random.nextInt(producers + 1);
            if (producer == producers) {
                log.batch(0, 2);
                wanted.add(true);
            } else if (random.nextInt(3) > 0) {
                int before = log.records.size();
                log.batch(0, 2, producer);
                first[producer] = first[producer] < 0 ? log.records.get(before).offset() : first[producer];
                batches.get(producer).add(wanted.size());
                wanted.add(true);
            } else {
                boolean commits = random.nextBoolean();
                log.mark(producer, commits);
                wanted.add(true);
                if (!commits && first[producer] >= 0) {
                    batches.get(producer).forEach(batch -> wanted.set(batch, false));
                    aborted.add(new FetchResponseData.AbortedTransaction()
                            .setProducerId(producer)
                            .setFirstOffset(first[producer]));
                }
                batches.get(producer).clear();
                first[producer] = -1;
            }
        }
        assertThat(aborted).hasSizeGreaterThan(5);
        FetchResponse response = response(version, log, aborted);
        assertThat(response.aborted()).isEqualTo(aborted.size());
        AbortedTransactions transactions = new AbortedTransactions();
        transactions.begin(response);
        Batches all = new Batches();
        all.begin(response.bytes(), response.recordsAt(), response.recordsAt() + response.recordsBytes());
        List<Boolean> kept = new ArrayList<>();
        try (RecordCursor records = new RecordCursor(Written.HEADER, 1 << 20)) {
            while (all.next()) {
                kept.add(!transactions.contain(all, records));
            }
        }
        assertThat(kept).isEqualTo(wanted);
    }

    private static FetchResponse response(
            short version, Written log, List<FetchResponseData.AbortedTransaction> aborted) throws IOException {
        FetchResponseData data = new FetchResponseData()
                .setResponses(List.of(new FetchResponseData.FetchableTopicResponse()
                        .setTopic("t")
                        .setPartitions(List.of(new FetchResponseData.PartitionData()
                                .setAbortedTransactions(aborted)
                                .setRecords(MemoryRecords.readableRecords(log.whole()))))));
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(data, version).buffer();
        FetchResponse response = new FetchResponse();
        response.begin(bytes, version);
        assertThat(response.next()).isTrue();
        return response;
    }
}
