package weir.cluster.sink;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.jspecify.annotations.Nullable;

/** The handler of all requests except Produce. Requests for missing topics or partitions get Kafka's errors. */
record SinkRequestHandler(SinkCounters counters, int port) {
    private static final int NODE = 1;
    private static final String CLUSTER = "weir-null-target";
    private static final long EARLIEST = -2;
    private static final long LATEST = -1;

    private static final Map<ApiKeys, BiFunction<SinkRequestHandler, ApiMessage, ApiMessage>> KNOWN = Map.of(
            ApiKeys.API_VERSIONS, (to, asked) -> versions(),
            ApiKeys.METADATA, (to, asked) -> to.metadata((MetadataRequestData) asked),
            ApiKeys.DESCRIBE_CLUSTER, (to, asked) -> to.cluster(),
            ApiKeys.CREATE_TOPICS, (to, asked) -> to.create((CreateTopicsRequestData) asked),
            ApiKeys.DELETE_TOPICS, (to, asked) -> to.delete((DeleteTopicsRequestData) asked),
            ApiKeys.LIST_OFFSETS, (to, asked) -> to.offsets((ListOffsetsRequestData) asked),
            ApiKeys.INIT_PRODUCER_ID, (to, asked) -> to.producer((InitProducerIdRequestData) asked),
            ApiKeys.DESCRIBE_CONFIGS, (to, asked) -> configs((DescribeConfigsRequestData) asked),
            ApiKeys.DESCRIBE_PRODUCERS, (to, asked) -> to.producers((DescribeProducersRequestData) asked));

    static ApiKeys known(short key, short version) {
        ApiKeys api = ApiKeys.hasId(key) ? ApiKeys.forId(key) : ApiKeys.API_VERSIONS;
        boolean taken = api.id == key && (api == ApiKeys.PRODUCE || KNOWN.containsKey(api));
        if (!taken || !api.isVersionSupported(version)) {
            throw new IllegalArgumentException(
                    "request " + key + " in version " + version + " is not supported by the null target");
        }
        return api;
    }

    ByteBuffer answer(ApiKeys api, short version, int correlation, ByteBuffer body) {
        BiFunction<SinkRequestHandler, ApiMessage, ApiMessage> known = KNOWN.get(api);
        if (known == null) {
            throw new IllegalArgumentException(api + " is not supported by the null target");
        }
        ApiMessage asked = ApiMessageType.fromApiKey(api.id).newRequest();
        asked.read(new ByteBufferAccessor(body), version);
        return whole(api, version, correlation, known.apply(this, asked));
    }

    /** A reply in the oldest version, which every client reads, for a client newer than this sink. */
    ByteBuffer versionsForNewerClient(int correlation) {
        return whole(
                ApiKeys.API_VERSIONS,
                (short) 0,
                correlation,
                versions().setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
    }

    static ByteBuffer whole(ApiKeys api, short version, int correlation, ApiMessage body) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ResponseHeaderData header = new ResponseHeaderData().setCorrelationId(correlation);
        short headerVersion = api.responseHeaderVersion(version);
        int size = header.size(cache, headerVersion) + body.size(cache, version);
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + size).putInt(size);
        ByteBufferAccessor writable = new ByteBufferAccessor(buffer);
        header.write(writable, cache, headerVersion);
        body.write(writable, cache, version);
        return buffer.flip();
    }

    private static ApiVersionsResponseData versions() {
        ApiVersionsResponseData data = new ApiVersionsResponseData();
        List<ApiKeys> all = new ArrayList<>(KNOWN.keySet());
        all.add(ApiKeys.PRODUCE);
        all.forEach(api -> data.apiKeys()
                .add(new ApiVersionsResponseData.ApiVersion()
                        .setApiKey(api.id)
                        .setMinVersion(api.oldestVersion())
                        .setMaxVersion(api.latestVersion())));
        return data;
    }

    private static String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    private MetadataResponseData metadata(MetadataRequestData asked) {
        MetadataResponseData data =
                new MetadataResponseData().setClusterId(CLUSTER).setControllerId(NODE);
        data.brokers()
                .add(new MetadataResponseData.MetadataResponseBroker()
                        .setNodeId(NODE)
                        .setHost(host())
                        .setPort(port));
        if (asked.topics() == null) {
            counters.all().forEach(topic -> data.topics().add(described(topic)));
        } else {
            asked.topics().forEach(topic -> data.topics().add(described(topic)));
        }
        return data;
    }

    private MetadataResponseData.MetadataResponseTopic described(MetadataRequestData.MetadataRequestTopic asked) {
        boolean named = asked.name() != null;
        SinkCounters.Topic topic = found(asked.name(), asked.topicId());
        if (topic != null) {
            return described(topic);
        }
        Errors unknown = named ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID;
        return new MetadataResponseData.MetadataResponseTopic()
                .setName(asked.name())
                .setTopicId(asked.topicId())
                .setErrorCode(unknown.code());
    }

    private static MetadataResponseData.MetadataResponseTopic described(SinkCounters.Topic topic) {
        MetadataResponseData.MetadataResponseTopic data = new MetadataResponseData.MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id());
        for (int i = 0; i < topic.ends().size(); i++) {
            data.partitions()
                    .add(new MetadataResponseData.MetadataResponsePartition()
                            .setPartitionIndex(i)
                            .setLeaderId(NODE)
                            .setLeaderEpoch(0)
                            .setReplicaNodes(List.of(NODE))
                            .setIsrNodes(List.of(NODE)));
        }
        return data;
    }

    private SinkCounters.@Nullable Topic found(@Nullable String name, Uuid id) {
        return name == null ? counters.of(id) : counters.named(name);
    }

    private DescribeClusterResponseData cluster() {
        DescribeClusterResponseData data =
                new DescribeClusterResponseData().setClusterId(CLUSTER).setControllerId(NODE);
        data.brokers()
                .add(new DescribeClusterResponseData.DescribeClusterBroker()
                        .setBrokerId(NODE)
                        .setHost(host())
                        .setPort(port));
        return data;
    }

    private CreateTopicsResponseData create(CreateTopicsRequestData asked) {
        CreateTopicsResponseData data = new CreateTopicsResponseData();
        for (CreateTopicsRequestData.CreatableTopic wanted : asked.topics()) {
            int partitions = Math.max(1, wanted.numPartitions());
            boolean there = counters.named(wanted.name()) != null;
            boolean made = !there && counters.create(wanted.name(), partitions);
            Errors error = there ? Errors.TOPIC_ALREADY_EXISTS : made ? Errors.NONE : Errors.INVALID_PARTITIONS;
            CreateTopicsResponseData.CreatableTopicResult result =
                    new CreateTopicsResponseData.CreatableTopicResult().setName(wanted.name());
            SinkCounters.Topic topic = counters.named(wanted.name());
            if (topic != null) {
                result.setTopicId(topic.id())
                        .setNumPartitions(topic.ends().size())
                        .setReplicationFactor((short) 1);
            }
            data.topics().add(result.setErrorCode(error.code()));
        }
        return data;
    }

    private DeleteTopicsResponseData delete(DeleteTopicsRequestData asked) {
        DeleteTopicsResponseData data = new DeleteTopicsResponseData();
        asked.topicNames().forEach(name -> data.responses().add(deleted(name, Uuid.ZERO_UUID)));
        asked.topics().forEach(topic -> data.responses().add(deleted(topic.name(), topic.topicId())));
        return data;
    }

    private DeleteTopicsResponseData.DeletableTopicResult deleted(@Nullable String name, Uuid id) {
        SinkCounters.Topic topic = found(name, id);
        if (topic != null) {
            counters.delete(topic);
        }
        Errors error = topic == null ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.NONE;
        return new DeleteTopicsResponseData.DeletableTopicResult()
                .setName(name)
                .setTopicId(id)
                .setErrorCode(error.code());
    }

    private ListOffsetsResponseData offsets(ListOffsetsRequestData asked) {
        ListOffsetsResponseData data = new ListOffsetsResponseData();
        asked.topics().forEach(topic -> {
            ListOffsetsResponseData.ListOffsetsTopicResponse found =
                    new ListOffsetsResponseData.ListOffsetsTopicResponse().setName(topic.name());
            topic.partitions().forEach(partition -> found.partitions().add(offset(topic.name(), partition)));
            data.topics().add(found);
        });
        return data;
    }

    private ListOffsetsResponseData.ListOffsetsPartitionResponse offset(
            String name, ListOffsetsRequestData.ListOffsetsPartition asked) {
        ListOffsetsResponseData.ListOffsetsPartitionResponse found =
                new ListOffsetsResponseData.ListOffsetsPartitionResponse().setPartitionIndex(asked.partitionIndex());
        long end = end(name, asked.partitionIndex());
        if (end < 0) {
            return found.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        // No records are kept, but the start offset stays 0: no consumer should read here.
        return asked.timestamp() == EARLIEST || asked.timestamp() == LATEST
                ? found.setOffset(asked.timestamp() == EARLIEST ? 0 : end)
                : found;
    }

    private long end(String name, int partition) {
        SinkCounters.Topic topic = counters.named(name);
        boolean there =
                topic != null && partition >= 0 && partition < topic.ends().size();
        return topic != null && there ? topic.ends().get(partition).get() : -1;
    }

    private InitProducerIdResponseData producer(InitProducerIdRequestData asked) {
        return asked.transactionalId() == null
                ? new InitProducerIdResponseData().setProducerId(counters.nextProducer())
                : new InitProducerIdResponseData().setErrorCode(Errors.INVALID_REQUEST.code());
    }

    private static DescribeConfigsResponseData configs(DescribeConfigsRequestData asked) {
        Collection<DescribeConfigsResponseData.DescribeConfigsResult> results = asked.resources().stream()
                .map(resource -> new DescribeConfigsResponseData.DescribeConfigsResult()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName()))
                .toList();
        return new DescribeConfigsResponseData().setResults(List.copyOf(results));
    }

    private DescribeProducersResponseData producers(DescribeProducersRequestData asked) {
        DescribeProducersResponseData data = new DescribeProducersResponseData();
        asked.topics().forEach(topic -> {
            DescribeProducersResponseData.TopicResponse found =
                    new DescribeProducersResponseData.TopicResponse().setName(topic.name());
            topic.partitionIndexes().forEach(index -> {
                Errors error = end(topic.name(), index) < 0 ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.NONE;
                found.partitions()
                        .add(new DescribeProducersResponseData.PartitionResponse()
                                .setPartitionIndex(index)
                                .setErrorCode(error.code()));
            });
            data.topics().add(found);
        });
        return data;
    }

    /** The topics of a sink and the record count of each partition. Safe for many threads. */
    static final class SinkCounters {
        private static final int MOST_PARTITIONS = 100_000;

        private final Map<String, Topic> byName = new ConcurrentHashMap<>();
        private final Map<Uuid, Topic> byId = new ConcurrentHashMap<>();
        private final AtomicLong producers = new AtomicLong(1);

        record Topic(String name, Uuid id, List<AtomicLong> ends) {}

        /** Creates a topic; false if the name exists or the sink has too many partitions. */
        synchronized boolean create(String name, int partitions) {
            int there = byName.values().stream()
                    .mapToInt(topic -> topic.ends().size())
                    .sum();
            if (byName.containsKey(name) || partitions < 1 || partitions > MOST_PARTITIONS - there) {
                return false;
            }
            List<AtomicLong> ends =
                    Stream.generate(AtomicLong::new).limit(partitions).toList();
            Topic topic = new Topic(name, Uuid.randomUuid(), ends);
            byId.put(topic.id(), topic);
            byName.put(name, topic);
            return true;
        }

        @Nullable Topic named(String name) {
            return byName.get(name);
        }

        @Nullable Topic of(Uuid id) {
            return byId.get(id);
        }

        Collection<Topic> all() {
            return List.copyOf(byName.values());
        }

        synchronized void delete(Topic topic) {
            byName.remove(topic.name());
            byId.remove(topic.id());
        }

        long nextProducer() {
            return producers.getAndIncrement();
        }
    }
}
