package weir.load.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;
import weir.load.message.Identity;
import weir.wire.Api;
import weir.wire.FakeBroker;

/** Two brokers that keep what they are sent, number by number as brokers do, unless their test says otherwise. */
final class WritableBrokers extends FakeBrokers {
    /** Where messages are known that do not say who they are. */
    ProducerSequences numberings = new ProducerSequences(RecordAudience.ANYONE);

    /** Messages that did not say it. */
    long unnamed;

    private final Conduct conduct;
    private final List<List<Long>> logs = new ArrayList<>();
    /** The next number of each producer's epoch in each partition. */
    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

    private final Map<String, Short> epochs = new ConcurrentHashMap<>();
    private final List<Integer> sizes = new ArrayList<>();
    /** A batch of more records than this is too large. */
    volatile int mostRecords = Integer.MAX_VALUE;

    /** A broker's way with a batch. */
    interface Conduct {
        /** {@code attempt} counts the batches that came to this partition, from 1. */
        Deed on(int broker, int partition, int attempt);
    }

    /** It keeps the batch or not, and says this about it: or nothing, and hangs up; or just nothing, when it throttles by -1. */
    record Deed(boolean keeps, Errors says, boolean hangsUp, int throttleMillis) {
        static final Deed WELL = new Deed(true, Errors.NONE, false, 0);
        static final Deed KEEPS_AND_HANGS_UP = new Deed(true, Errors.NONE, true, 0);
        static final Deed SAYS_NOTHING = new Deed(true, Errors.NONE, false, -1);
        static final Deed HANGS_UP = new Deed(false, Errors.NONE, true, 0);

        static Deed refuses(Errors error) {
            return new Deed(false, error, false, 0);
        }
    }

    private final Map<Integer, Integer> attempts = new ConcurrentHashMap<>();

    WritableBrokers(int partitions, short produceVersion, Conduct conduct) throws IOException {
        super(2, partitions, new Uuid(4, 2), Api.PRODUCE, produceVersion);
        this.conduct = conduct;
        for (int partition = 0; partition < partitions; partition++) {
            logs.add(new ArrayList<>());
            lead(partition, 0);
        }
    }

    /** The sequence numbers of the messages in the order in which they stand there. */
    synchronized List<Long> log(int partition) {
        return List.copyOf(logs.get(partition));
    }

    /** How many batches each request had. */
    synchronized List<Integer> sizes() {
        return List.copyOf(sizes);
    }

    @Override
    @Nullable ApiMessage answer(int broker, FakeBroker.Asked asked, ByteBufferAccessor body, OutputStream out)
            throws IOException {
        return produced(broker, new ProduceRequestData(body, asked.version()), out);
    }

    private synchronized @Nullable ApiMessage produced(int broker, ProduceRequestData request, OutputStream out)
            throws IOException {
        ProduceResponseData answer = new ProduceResponseData();
        boolean hangsUp = false;
        boolean silent = false;
        int batches = 0;
        for (ProduceRequestData.TopicProduceData of : request.topicData()) {
            ProduceResponseData.TopicProduceResponse told = new ProduceResponseData.TopicProduceResponse()
                    .setName(of.name())
                    .setTopicId(of.topicId());
            for (ProduceRequestData.PartitionProduceData one : of.partitionData()) {
                int partition = one.index();
                batches++;
                Deed deed = conduct.on(broker, partition, attempts.merge(partition, 1, Integer::sum));
                if (leader(partition) != broker) {
                    deed = Deed.refuses(Errors.NOT_LEADER_OR_FOLLOWER);
                }
                long base = logs.get(partition).size();
                RecordBatch batch =
                        ((MemoryRecords) one.records()).batches().iterator().next();
                batch.ensureValid();
                if (batch.countOrNull() > mostRecords) {
                    deed = Deed.refuses(Errors.MESSAGE_TOO_LARGE);
                }
                Errors error = deed.says;
                if (deed.keeps) {
                    Errors kept = keep(partition, batch);
                    error = error == Errors.NONE ? kept : error;
                }
                hangsUp |= deed.hangsUp;
                silent |= deed.throttleMillis < 0;
                answer.setThrottleTimeMs(Math.max(answer.throttleTimeMs(), deed.throttleMillis));
                told.partitionResponses()
                        .add(new ProduceResponseData.PartitionProduceResponse()
                                .setIndex(partition)
                                .setErrorCode(error.code())
                                .setBaseOffset(error == Errors.NONE ? base : -1));
            }
            answer.responses().add(told);
        }
        sizes.add(batches);
        if (hangsUp) {
            out.close();
        }
        return hangsUp || silent || request.acks() == 0 ? null : answer;
    }

    private long named(int partition, RecordBatch batch, int place) {
        SequenceNumbers.Found found = new SequenceNumbers.Found();
        SequenceNumbers known = Objects.requireNonNull(numberings.find(batch.producerId(), partition));
        if (!known.find(batch.producerEpoch(), batch.baseSequence(), found)) {
            throw new AssertionError("nobody knows number " + batch.baseSequence());
        }
        return found.message(place);
    }

    /** As a broker looks after the numbers of an idempotent producer. */
    private Errors keep(int partition, RecordBatch batch) {
        if (batch.hasProducerId()) {
            String who = partition + ":" + batch.producerId();
            short epoch = epochs.getOrDefault(who, (short) -1);
            int next = numbers.getOrDefault(who, 0);
            if (batch.producerEpoch() > epoch) {
                if (batch.baseSequence() != 0) {
                    return Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
                }
            } else if (batch.producerEpoch() < epoch) {
                return Errors.INVALID_PRODUCER_EPOCH;
            } else if (batch.baseSequence() < next) {
                return Errors.DUPLICATE_SEQUENCE_NUMBER;
            } else if (batch.baseSequence() > next) {
                return Errors.OUT_OF_ORDER_SEQUENCE_NUMBER;
            }
            epochs.put(who, batch.producerEpoch());
            numbers.put(who, batch.lastSequence() + 1);
        }
        int place = 0;
        for (Record record : batch) {
            byte[] value = new byte[record.valueSize()];
            record.value().get(value);
            long sequence = Identity.sequence(value);
            logs.get(partition).add(sequence < 0 ? named(partition, batch, place) : sequence);
            unnamed += sequence < 0 ? 1 : 0;
            place++;
        }
        return Errors.NONE;
    }
}
