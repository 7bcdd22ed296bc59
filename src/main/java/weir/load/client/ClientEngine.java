package weir.load.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import weir.load.engine.AckedEnds;
import weir.load.engine.Consuming;
import weir.load.engine.LogView;
import weir.load.engine.Operating;
import weir.load.read.Receiver;
import weir.load.send.Operator;
import weir.load.send.Sender;
import weir.plan.GroupSpec;
import weir.plan.property.Property;

/** The real Java clients, with any of their properties. */
public final class ClientEngine implements Operating, Consuming, LogView {
    private static final String TRANSACTIONAL_ID = "transactional.id";
    private static final String GROUP_INSTANCE_ID = "group.instance.id";

    private final Connection connection;
    private final ClientConfigs configs;
    private final ClientOffsets offsets;
    private final KnownPartitions partitions;
    private final AddedPartitions added;
    private final List<ClientSender> senders = new CopyOnWriteArrayList<>();
    private final List<ClientOperator> operators = new CopyOnWriteArrayList<>();
    private final List<ClientReceiver> receivers = new CopyOnWriteArrayList<>();
    private final ClientExplanation explanation = new ClientExplanation();
    private final LongSupplier clock;
    private final Consumer<String> events;

    /**
     * The cluster that the clients connect to, and how.
     *
     * @param client what any client needs to connect
     * @param topics names on the cluster, in the order of their indexes
     * @param groupName on the cluster; without meaning where partitions are assigned
     * @param readers over all workers
     * @param events true when senders write events
     */
    public record Connection(
            SortedMap<String, String> client,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            List<String> topics,
            GroupSpec group,
            String groupName,
            int readers,
            boolean first,
            boolean alone,
            OperatorSettings operating,
            boolean events) {}

    public ClientEngine(Connection connection, LongSupplier clock, Consumer<String> events) {
        this.connection = connection;
        this.clock = clock;
        this.events = events;
        this.configs = ClientConfigs.of(connection);
        this.offsets = new ClientOffsets(
                Admin.create(configs.admin().named("weir-look")),
                configs.outsider().named("weir-look"),
                configs.outsiderReadsCommitted());
        this.partitions = new KnownPartitions(connection.topics, offsets.describe(connection.topics));
        this.added = new AddedPartitions(partitions, () -> offsets.describing(connection.topics), clock);
    }

    @Override
    public int topics() {
        return connection.topics.size();
    }

    @Override
    public List<String> partitions() {
        return partitions.all().stream().map(TopicPartition::toString).toList();
    }

    @Override
    public long[] ends() {
        return offsets.readable(partitions.all());
    }

    @Override
    public long[] logEnds() {
        return offsets.ends(partitions.all());
    }

    @Override
    public long[] ackedEnds(List<String> of) {
        return AckedEnds.of(connection.topics, acked(), of);
    }

    private List<AckedEnds> acked() {
        return Stream.concat(
                        senders.stream().map(ClientSender::ends),
                        operators.stream().map(ClientOperator::ends))
                .toList();
    }

    @Override
    public void update() {
        added.ask();
    }

    @Override
    public long[] beginnings() {
        return offsets.beginnings(partitions.all());
    }

    @Override
    public long[] standing(long[] from) {
        return connection.group.existing() ? offsets.committed(connection.groupName, partitions.all(), from) : from;
    }

    @Override
    public Sender sender(int number) {
        AbstractConfig parsed = configs.producer().parsed();
        Duration timeout = Duration.ofMillis(parsed.getInt("delivery.timeout.ms"));
        Map<String, Object> properties = configs.producer().named("weir-producer-" + number);
        properties.remove(TRANSACTIONAL_ID);
        ClientSender sender = new ClientSender(
                properties,
                !parsed.getList("interceptor.classes").isEmpty(),
                connection.topics,
                timeout,
                connection.events,
                clock);
        senders.add(sender);
        return sender;
    }

    @Override
    public Operator operator(int number, long[] from) {
        OperatorSettings operating = connection.operating;
        Map<String, Object> properties = configs.producer().named("weir-producer-" + number);
        String chosen = connection.producer.getOrDefault(TRANSACTIONAL_ID, "");
        if (operating.transactional()) {
            properties.put(TRANSACTIONAL_ID, operating.id(chosen, number));
        }
        ClientOperator operator = new ClientOperator(
                properties,
                operating.transactional(),
                !chosen.isEmpty(),
                connection.topics,
                Duration.ofMillis(configs.producer().parsed().getInt("delivery.timeout.ms")),
                operating.sources() > 0 ? source(number, from) : null);
        operators.add(operator);
        return operator;
    }

    private ClientStreamConsumer source(int number, long[] from) {
        OperatorSettings operating = connection.operating;
        Map<String, Object> properties = member("weir-stream-", number, operating.producers());
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("group.id", connection.groupName);
        properties.put("enable.auto.commit", "false");
        if (connection.group.named()) {
            if (connection.first && operators.isEmpty()) {
                // The topics that a stream reads are the first ones.
                List<TopicPartition> read = sources(0);
                offsets.commit(connection.groupName, read, Arrays.copyOf(from, read.size()));
            }
            return ClientStreamConsumer.member(
                    properties,
                    partitions,
                    connection.topics.subList(0, operating.sources()),
                    operating.bounded(),
                    clock);
        }
        return ClientStreamConsumer.assigned(
                properties,
                partitions,
                first -> partitions.of(number, operating.producers(), first).stream()
                        .filter(this::source)
                        .map(partitions.all()::get)
                        .toList(),
                from,
                operating.bounded(),
                clock);
    }

    private List<TopicPartition> sources(int from) {
        List<TopicPartition> all = partitions.all();
        return IntStream.range(from, all.size())
                .filter(this::source)
                .mapToObj(all::get)
                .toList();
    }

    /** The properties of a consumer of a group; those of a static member have a name of their own for each. */
    private Map<String, Object> member(String name, int number, int members) {
        Map<String, Object> properties = configs.consumer().named(name + number);
        if (members > 1) {
            properties.computeIfPresent(GROUP_INSTANCE_ID, (key, chosen) -> chosen + "-" + number);
        }
        return properties;
    }

    @Override
    public int sourceTopics() {
        return connection.operating.sources();
    }

    @Override
    public boolean source(int partition) {
        List<String> read = connection.topics.subList(0, connection.operating.sources());
        return read.contains(partitions.all().get(partition).topic());
    }

    @Override
    public long[] streamed() {
        List<TopicPartition> all = partitions.all();
        long[] streamed = new long[all.size()];
        Arrays.fill(streamed, -1);
        if (connection.operating.sources() > 0) {
            List<TopicPartition> read = sources(0);
            long[] settled = offsets.settled(connection.groupName, read);
            for (int i = 0; i < settled.length; i++) {
                streamed[partitions.index(read.get(i))] = settled[i];
            }
        }
        return streamed;
    }

    @Override
    public long[] stableEnds() {
        return offsets.stable(partitions.all());
    }

    @Override
    public Receiver receiver(int number, long[] from) {
        Map<String, Object> properties = member("weir-reader-", number, connection.readers);
        ClientReceiver receiver;
        if (connection.group.named()) {
            if (connection.first && receivers.isEmpty()) {
                offsets.commit(connection.groupName, partitions.all(), from);
            }
            receiver = ClientReceiver.member(properties, partitions, connection.topics, clock, events);
        } else {
            receiver = ClientReceiver.assigned(
                    properties, partitions, first -> partitions.of(number, connection.readers, first), from, clock);
        }
        receivers.add(receiver);
        return receiver;
    }

    @Override
    public void awaitPositions(Duration limit) {
        if (!connection.group.named()) {
            return;
        }
        long deadline = clock.getAsLong() + limit.toNanos();
        // The first worker comes before the others; these wait for each other.
        int members = connection.first ? receivers.size() : connection.readers;
        while (!(connection.alone ? allAreRead() : offsets.shared(connection.groupName, partitions.all(), members))) {
            if (clock.getAsLong() > deadline) {
                throw new IllegalStateException("group '" + connection.groupName + "' did not share out its "
                        + partitions.size() + " partitions within " + limit.toSeconds() + " s");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private boolean allAreRead() {
        Set<TopicPartition> read = new HashSet<>();
        receivers.forEach(receiver -> read.addAll(receiver.partitions()));
        return read.size() == partitions.size();
    }

    @Override
    public Receiver verifier(List<Integer> which, long[] from) {
        return ClientReceiver.assigned(
                configs.outsider().named("weir-verify"),
                partitions,
                first -> first == 0 ? which : List.of(),
                from,
                clock);
    }

    @Override
    public void look(Figures into) {
        List<AckedEnds> acked = acked();
        for (int topic = 0; topic < connection.topics.size(); topic++) {
            for (AckedEnds each : acked) {
                partitions.learn(connection.topics.get(topic), each.partitions(topic));
            }
        }
        added.look();
        List<Map<MetricName, ? extends Metric>> producers = new ArrayList<>();
        senders.forEach(sender -> producers.add(sender.metrics()));
        operators.forEach(operator -> producers.add(operator.metrics()));
        explanation.look("producer", producers, into);
        explanation.look(
                "consumer", receivers.stream().map(ClientReceiver::metrics).toList(), into);
    }

    @Override
    public List<Property> properties() {
        List<Property> all = new ArrayList<>();
        if (!senders.isEmpty() || !operators.isEmpty()) {
            all.addAll(configs.producer().effective());
        }
        if (!receivers.isEmpty() || sourceTopics() > 0) {
            all.addAll(configs.consumer().effective());
        }
        all.addAll(configs.admin().effective());
        return all;
    }

    @Override
    public SortedMap<String, Object> metrics() {
        SortedMap<String, Object> metrics = new TreeMap<>();
        senders.stream().limit(1).forEach(sender -> metrics.putAll(sender.lastMetrics()));
        operators.stream().limit(1).forEach(operator -> metrics.putAll(operator.lastMetrics()));
        receivers.stream().limit(1).forEach(receiver -> metrics.putAll(receiver.lastMetrics()));
        return metrics;
    }

    @Override
    public boolean confirms() {
        return !"0".equals(configs.producer().parsed().getString("acks"));
    }

    @Override
    public List<String> notes() {
        return !confirms()
                ? List.of("acks=0: no broker confirms anything, so acked means written to the socket")
                : List.of();
    }

    @Override
    public void close() {
        offsets.close();
    }
}
