package weir.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import weir.time.MachineClock;

/** A connection to one broker for requests outside of the load. One thread owns it and waits for each answer. */
public final class Call implements AutoCloseable {
    private final Connection connection;
    private final ChannelWaiter waiter;
    private final FetchResponse fetched = new FetchResponse();

    public enum Place {
        /** The offset after the last readable record. */
        END(-1),
        /** The offset of the oldest remaining record. */
        BEGINNING(-2);

        private final long timestamp;

        Place(long timestamp) {
            this.timestamp = timestamp;
        }
    }

    public record TopicPartitionName(String topic, int partition) {}

    public record Offset(long offset, BrokerError fault) {}

    public record Producer(long id, short epoch) {}

    private Call(Connection connection, ChannelWaiter waiter) {
        this.connection = connection;
        this.waiter = waiter;
    }

    public static Call open(Endpoint at, BrokerAccess access, Connection.Options options, Duration limit)
            throws IOException {
        Connection connection = Connection.open(at, access, options, limit);
        try {
            return new Call(connection, connection.waiter());
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Requests the metadata of topics, without creating a topic. */
    public Metadata metadata(Collection<String> topics, Duration limit) throws IOException {
        MetadataRequestData request = new MetadataRequestData().setAllowAutoTopicCreation(false);
        request.setTopics(topics.stream()
                .map(topic -> new MetadataRequestData.MetadataRequestTopic().setName(topic))
                .collect(Collectors.toList()));
        return ask(Api.METADATA, request, (from, v) -> Metadata.of(new MetadataResponseData(from, v)), limit);
    }

    /** Requests the offsets of partitions that this broker leads; {@code committed} for readers of such records. */
    public Map<TopicPartitionName, Offset> offsets(
            List<TopicPartitionName> spots, Place place, boolean committed, Duration limit) throws IOException {
        Map<String, ListOffsetsRequestData.ListOffsetsTopic> topics = new TreeMap<>();
        for (TopicPartitionName spot : spots) {
            topics.computeIfAbsent(spot.topic, name -> new ListOffsetsRequestData.ListOffsetsTopic().setName(name))
                    .partitions()
                    .add(new ListOffsetsRequestData.ListOffsetsPartition()
                            .setPartitionIndex(spot.partition)
                            .setTimestamp(place.timestamp));
        }
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setIsolationLevel((byte) (committed ? 1 : 0))
                .setTopics(List.copyOf(topics.values()));
        return ask(Api.LIST_OFFSETS, request, (from, v) -> read(new ListOffsetsResponseData(from, v)), limit);
    }

    private static Map<TopicPartitionName, Offset> read(ListOffsetsResponseData answer) {
        return answer.topics().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .map(partition -> Map.entry(
                                new TopicPartitionName(topic.name(), partition.partitionIndex()),
                                new Offset(partition.offset(), BrokerError.of(partition.errorCode())))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Creates a new producer id; throws an exception if no broker can create an id now. */
    public Producer newProducer(Duration limit) throws IOException {
        InitProducerIdRequestData request = new InitProducerIdRequestData()
                .setTransactionalId(null)
                .setTransactionTimeoutMs(Integer.MAX_VALUE)
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
        InitProducerIdResponseData answer = ask(Api.INIT_PRODUCER_ID, request, InitProducerIdResponseData::new, limit);
        BrokerError fault = BrokerError.of(answer.errorCode());
        if (!fault.none()) {
            String message = "broker " + connection.at + " returned no producer id: " + fault.message();
            throw fault.retriable() ? new IOException(message) : new BrokerRefusal(message, fault.exception());
        }
        return new Producer(answer.producerId(), answer.producerEpoch());
    }

    /** Writes the bytes of one fetch request in this version. */
    public interface FetchWriter {
        ByteBuffer write(short version, int correlation);
    }

    public interface FetchReader {
        void read(FetchResponse answer) throws IOException;
    }

    /**
     * Fetches records of partitions that this broker leads. The answer is valid until the reader returns.
     *
     * @param highest the highest version; 12 for topics without an id
     */
    public void fetch(int highest, FetchWriter request, FetchReader reading, Duration limit) throws IOException {
        waiter.of(Api.FETCH.toString(), MachineClock.within(limit));
        short version = (short) Math.min(highest, connection.version(Api.FETCH));
        int asked = connection.nextCorrelation();
        var unused = connection.ask(waiter, Api.FETCH, version, request.write(version, asked), asked, body -> {
            fetched.begin(body, version);
            reading.read(fetched);
            return true;
        });
    }

    private <T> T ask(Api api, ApiMessage request, Connection.Reading<T> reading, Duration limit) throws IOException {
        waiter.of(api.toString(), MachineClock.within(limit));
        return connection.ask(waiter, api, connection.version(api), request, reading);
    }

    @Override
    public void close() {
        try (ChannelWaiter closing = waiter) {
            closing.of("nothing");
        } catch (IOException e) {
            throw new UncheckedIOException("closing a selector", e);
        } finally {
            connection.close();
        }
    }
}
