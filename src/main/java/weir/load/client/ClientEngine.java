package weir.load.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import weir.load.engine.AckedEnds;
import weir.load.engine.Consuming;
import weir.load.engine.LogView;
import weir.load.engine.Operating;
import weir.load.read.Receiver;
import weir.load.send.Operator;
import weir.load.send.Sender;
import weir.measure.PartitionGaps;
import weir.plan.EnumNames;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.ThreadsSpec;
import weir.plan.property.Property;

/** The engine of Kafka's Java clients, with any of their properties. */
public final class ClientEngine implements Operating, Consuming, LogView {
    private static final String TRANSACTIONAL_ID = "transactional.id";
    private static final int NO_READER = -1;
    private static final String GROUP_INSTANCE_ID = "group.instance.id";

    // The clients' averages cover 30 s by default.
    private static final Map<String, String> LOOK = Map.of("metrics.sample.window.ms", "1000");

    private final Connection connection;
    private final ClientConfig producer;
    private final ClientConfig consumer;
    private final ClientConfig admin;
    private final ClientConfig outsider;

    private final ClientOffsets offsets;
    private final KnownPartitions partitions;
    private final List<AckedEnds> acked = new CopyOnWriteArrayList<>();
    private final List<ClientExplanation.Metrics> senders = new CopyOnWriteArrayList<>();
    private final List<ClientExplanation.Metrics> operators = new CopyOnWriteArrayList<>();
    private final List<ClientExplanation.Metrics> readers = new CopyOnWriteArrayList<>();
    private final List<ClientReceiver> receivers = new CopyOnWriteArrayList<>();
    private final List<ClientShareReceiver> members = new CopyOnWriteArrayList<>();
    private long reportedNanos;
    private long waitedNanos;
    private long lockedNanos;
    private final LongSupplier clock;
    private final Consumer<String> events;

    /**
     * The cluster for the clients, and their options.
     *
     * @param client the properties to connect any client
     * @param topics the names on the cluster, in the order of their indexes; a stream reads the first topics
     * @param groupName the group's name on the cluster; unused if partitions are assigned
     * @param sources the number of topics that a stream reads; 0 without a stream
     * @param events true if senders write events
     * @param kills true if readers of the group end without leaving it
     */
    public record Connection(
            SortedMap<String, String> client,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            List<String> topics,
            LoadSpec load,
            String groupName,
            int sources,
            boolean first,
            boolean alone,
            boolean events,
            boolean kills,
            long seed) {
        private GroupSpec group() {
            return load.consumers().group();
        }

        boolean transactional() {
            return !load.transaction().none();
        }

        boolean choosesId() {
            return !producer.getOrDefault(TRANSACTIONAL_ID, "").isEmpty();
        }

        private String id(int number) {
            if (!choosesId()) {
                return (groupName.startsWith("weir-") ? "" : "weir-") + groupName + "-" + number;
            }
            String chosen = producer.getOrDefault(TRANSACTIONAL_ID, "");
            return load.producers().count() == 1 ? chosen : chosen + "-" + number;
        }
    }

    public ClientEngine(Connection connection, LongSupplier clock, Consumer<String> events) {
        this.connection = connection;
        this.clock = clock;
        this.events = events;
        this.producer = new ClientConfig(ClientConfig.Kind.PRODUCER, LOOK, connection.client, connection.producer)
                .set("key.serializer", ByteArraySerializer.class.getName())
                .set("value.serializer", ByteArraySerializer.class.getName());
        this.consumer = connection.group().shares() ? deserializing(connection) : consumer(connection);
        if (connection.group().shares()) {
            consumer.set("group.id", connection.groupName)
                    .set(
                            "share.acknowledgement.mode",
                            EnumNames.of(connection.group().acknowledge()));
        } else if (connection.group().named()) {
            consumer.set("group.id", connection.groupName)
                    .set("group.protocol", connection.group().protocol().name())
                    .set("enable.auto.commit", String.valueOf(commit() == LoadSpec.Commit.AUTO));
        }
        if (connection.transactional() && connection.sources > 0) {
            // Queries for the group's offsets must not return offsets of open transactions.
            consumer.unlessAsked("isolation.level", "read_committed");
        }
        this.outsider = consumer(connection);
        if (connection.transactional() && connection.load.workload() != LoadSpec.Workload.DELIVER) {
            outsider.set("isolation.level", "read_committed");
        }
        this.admin = new ClientConfig(ClientConfig.Kind.ADMIN, Map.of(), connection.client, Map.of());
        this.offsets = new ClientOffsets(
                Admin.create(admin.named("weir-look")),
                connection.groupName,
                outsider.named("weir-look"),
                "read_committed".equals(outsider.parsed().getString("isolation.level")));
        this.partitions = new KnownPartitions(
                connection.topics,
                offsets.describe(connection.topics),
                () -> offsets.describing(connection.topics),
                clock);
    }

    private LoadSpec.Commit commit() {
        return connection.load.consumers().commit();
    }

    private static ClientConfig consumer(Connection connection) {
        return deserializing(connection)
                .unlessAsked("auto.offset.reset", "earliest")
                .unlessAsked("allow.auto.create.topics", "false")
                .set("enable.auto.commit", "false");
    }

    private static ClientConfig deserializing(Connection connection) {
        return new ClientConfig(ClientConfig.Kind.CONSUMER, LOOK, connection.client, connection.consumer)
                .set("key.deserializer", NoDeserializer.class.getName())
                .set("value.deserializer", ArrivalDeserializer.class.getName());
    }

    @Override
    public int topics() {
        return connection.topics.size();
    }

    @Override
    public List<String> partitions() {
        return partitions.all.stream().map(TopicPartition::toString).toList();
    }

    @Override
    public long[] ends() {
        return offsets.of(partitions.all, OffsetSpec.latest(), offsets.readers);
    }

    @Override
    public long[] logEnds() {
        return offsets.of(partitions.all, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    @Override
    public long[] ackedEnds(List<String> of) {
        return AckedEnds.of(connection.topics, acked, of);
    }

    @Override
    public List<PartitionGaps.Gap> gaps() {
        return AckedEnds.gaps(connection.topics, acked);
    }

    private AckedEnds newEnds() {
        AckedEnds ends = new AckedEnds(connection.topics.size());
        acked.add(ends);
        return ends;
    }

    @Override
    public void update() {
        partitions.ask();
    }

    @Override
    public long[] beginnings() {
        return offsets.of(partitions.all, OffsetSpec.earliest(), offsets.readers);
    }

    @Override
    public long[] standing(long[] from) {
        if (!connection.group().existing()) {
            return from;
        }
        return shares() ? progress(new long[from.length]) : offsets.committed(partitions.all, from);
    }

    @Override
    public Sender sender(int number) {
        Map<String, Object> properties = producer.named("weir-producer-" + number);
        properties.remove(TRANSACTIONAL_ID);
        ClientSender sender =
                new ClientSender(properties, producer.parsed(), connection.topics, newEnds(), connection.events, clock);
        senders.add(sender.metrics);
        return sender;
    }

    @Override
    public Operator operator(int number, long[] from) {
        Map<String, Object> properties = producer.named("weir-producer-" + number);
        if (connection.transactional()) {
            properties.put(TRANSACTIONAL_ID, connection.id(number));
        }
        ClientOperator operator = new ClientOperator(
                properties,
                connection,
                newEnds(),
                Duration.ofMillis(producer.parsed().getInt("delivery.timeout.ms")),
                connection.sources > 0 ? source(number, from) : null);
        operators.add(operator.metrics);
        return operator;
    }

    private ClientStreamConsumer source(int number, long[] from) {
        int readers = connection.load.producers().count();
        Map<String, Object> properties = member("weir-stream-", number, readers);
        properties.put("key.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("value.deserializer", ByteArrayDeserializer.class.getName());
        properties.put("group.id", connection.groupName);
        properties.put("enable.auto.commit", "false");
        boolean member = connection.group().named();
        if (member && connection.first && operators.isEmpty()) {
            // A stream reads the first topics.
            List<TopicPartition> read = sources();
            offsets.commit(read, Arrays.copyOf(from, read.size()));
        }
        return new ClientStreamConsumer(
                properties,
                partitions,
                member ? connection.topics.subList(0, connection.sources) : List.of(),
                first -> partitions.of(member ? NO_READER : number, readers, first).stream()
                        .filter(this::source)
                        .toList(),
                from,
                !connection.load.backlog().none(),
                clock);
    }

    private List<TopicPartition> sources() {
        List<String> read = connection.topics.subList(0, connection.sources);
        return partitions.all.stream()
                .filter(partition -> read.contains(partition.topic()))
                .toList();
    }

    private Map<String, Object> member(String name, int number, int members) {
        Map<String, Object> properties = consumer.named(name + number);
        if (members > 1 || number > 0) {
            properties.computeIfPresent(GROUP_INSTANCE_ID, (key, chosen) -> chosen + "-" + number);
        }
        return properties;
    }

    @Override
    public int sourceTopics() {
        return connection.sources;
    }

    @Override
    public boolean source(int partition) {
        String topic = partitions.all.get(partition).topic();
        return connection.topics.subList(0, connection.sources).contains(topic);
    }

    @Override
    public long[] streamed() {
        List<TopicPartition> all = partitions.all;
        long[] streamed = new long[all.size()];
        Arrays.fill(streamed, -1);
        if (connection.sources > 0) {
            List<TopicPartition> read = sources();
            long[] settled = offsets.settled(read);
            for (int i = 0; i < settled.length; i++) {
                streamed[partitions.index(read.get(i))] = settled[i];
            }
        }
        return streamed;
    }

    @Override
    public long[] stableEnds() {
        return offsets.of(partitions.all, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    @Override
    public Receiver receiver(int number, long[] from) {
        Map<String, Object> properties =
                member("weir-reader-", number, connection.load.consumers().count());
        boolean member = connection.group().named();
        if (shares()) {
            return share(properties, number, from);
        }
        GroupMembershipOperation leaving = properties.containsKey(GROUP_INSTANCE_ID)
                ? GroupMembershipOperation.DEFAULT
                : GroupMembershipOperation.LEAVE_GROUP;
        if (connection.kills && connection.group().protocol() == GroupSpec.Protocol.CONSUMER) {
            // A dynamic member of the new protocol leaves when it closes, also with REMAIN_IN_GROUP. A static one
            // stays.
            properties.putIfAbsent(GROUP_INSTANCE_ID, "weir-reader-" + number + "-" + receivers.size());
        }
        if (member && connection.first && receivers.isEmpty()) {
            offsets.commit(partitions.all, from);
        }
        ClientReceiver receiver = new ClientReceiver(
                properties,
                partitions,
                member ? connection.topics : List.of(),
                first -> partitions.of(
                        member ? NO_READER : number, connection.load.consumers().count(), first),
                from,
                connection.load.consumers().threads(),
                member ? commit() : LoadSpec.Commit.NONE,
                leaving,
                clock,
                events);
        receivers.add(receiver);
        readers.add(receiver.metrics);
        return receiver;
    }

    private Receiver share(Map<String, Object> properties, int number, long[] from) {
        if (connection.first && members.isEmpty() && !connection.group().existing()) {
            offsets.start(partitions.all, from);
        }
        ArrivalDeserializer deserializer = new ArrivalDeserializer();
        ClientShareReceiver receiver = new ClientShareReceiver(
                deserializer,
                new KafkaShareConsumer<>(properties, new NoDeserializer(), deserializer),
                partitions,
                connection.topics,
                connection.load.consumers(),
                connection.seed + number,
                clock);
        receiver.joined = members.stream().anyMatch(member -> member.joined);
        members.add(receiver);
        readers.add(receiver.metrics);
        return receiver;
    }

    @Override
    public boolean shares() {
        return connection.group().shares();
    }

    @Override
    public long[] progress(long[] known) {
        List<TopicPartition> all = partitions.all;
        return offsets.progress(all, offsets.of(all, OffsetSpec.latest(), offsets.readers), known);
    }

    @Override
    public void awaitPositions(Duration limit) {
        if (!connection.group().named()) {
            return;
        }
        long deadline = clock.getAsLong() + limit.toNanos();
        // The first worker starts first, because the other members wait for each other.
        int started = connection.first
                ? receivers.size() + members.size()
                : connection.load.consumers().count();
        while (!allAreRead(started)) {
            if (clock.getAsLong() > deadline) {
                throw new IllegalStateException("group '" + connection.groupName + "' did not assign its "
                        + partitions.size() + " partitions within " + limit.toSeconds() + " s");
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
        members.forEach(member -> member.joined = true);
    }

    private boolean allAreRead(int started) {
        long read = receivers.stream()
                .flatMap(receiver -> receiver.mine.stream())
                .distinct()
                .count();
        return (!connection.alone || shares() || read == partitions.size())
                && offsets.shared(partitions.all, started, shares());
    }

    @Override
    public Receiver verifier(List<Integer> which, long[] from) {
        return new ClientReceiver(
                outsider.named("weir-verify"),
                partitions,
                List.of(),
                first -> first == 0 ? which : List.of(),
                from,
                ThreadsSpec.ONE,
                LoadSpec.Commit.NONE,
                GroupMembershipOperation.DEFAULT,
                clock,
                events);
    }

    @Override
    public void report(Figures into) {
        for (int topic = 0; topic < connection.topics.size(); topic++) {
            for (AckedEnds each : acked) {
                partitions.learn(connection.topics.get(topic), each.partitions(topic));
            }
        }
        partitions.refresh();
        ClientExplanation.report(
                "producer", Stream.concat(senders.stream(), operators.stream()).toList(), into);
        ClientExplanation.report("consumer", readers, into);
        if (!members.isEmpty()) {
            reportMembers(into);
        }
    }

    private void reportMembers(Figures into) {
        long now = clock.getAsLong();
        long waited = members.stream().mapToLong(member -> member.waitedNanos).sum();
        long locks =
                members.stream().mapToLong(member -> member.lockedNanos(now)).sum();
        if (reportedNanos > 0) {
            double nanos = now - reportedNanos;
            double locked = (locks - lockedNanos) / nanos;
            into.figure("share.locked", locked);
            into.figure("share.locked.per.partition", locked / partitions.size());
            into.figure("share.waiting.percent", 100 * (waited - waitedNanos) / nanos / members.size());
        }
        reportedNanos = now;
        waitedNanos = waited;
        lockedNanos = locks;
    }

    @Override
    public List<Property> properties() {
        List<Property> all = new ArrayList<>();
        if (!senders.isEmpty() || !operators.isEmpty()) {
            all.addAll(producer.effective());
        }
        if (!readers.isEmpty() || sourceTopics() > 0) {
            all.addAll(consumer.effective());
        }
        all.addAll(admin.effective());
        return all;
    }

    @Override
    public SortedMap<String, Object> metrics() {
        SortedMap<String, Object> metrics = new TreeMap<>();
        for (List<ClientExplanation.Metrics> clients : List.of(senders, operators, readers)) {
            clients.stream().limit(1).forEach(client -> metrics.putAll(client.last));
        }
        return metrics;
    }

    @Override
    public boolean confirms() {
        return !"0".equals(producer.parsed().getString("acks"));
    }

    @Override
    public List<String> notes() {
        return confirms() ? List.of() : List.of(UNCONFIRMED);
    }

    @Override
    public void close() {
        offsets.close();
    }
}
