package weir.load.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.load.engine.AckedEnds;
import weir.load.engine.Consuming;
import weir.load.engine.EngineCounters;
import weir.load.engine.LogView;
import weir.load.engine.Producing;
import weir.load.read.Receiver;
import weir.load.send.Sender;
import weir.measure.PartitionGaps;
import weir.plan.property.Property;
import weir.time.DaemonThreads;
import weir.wire.BootstrapBroker;
import weir.wire.BrokerAccess;
import weir.wire.Call;
import weir.wire.Connection;
import weir.wire.Endpoint;

/** The engine with Weir's own code for Kafka's protocol, which spends little CPU time per record. */
public final class WireEngine implements Producing, Consuming, LogView {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Call.Producer NO_PRODUCER = new Call.Producer(-1, (short) -1);

    /** The bytes by which the first batch of a partition may exceed the limit of an answer. */
    private static final int BEYOND = 128 << 20;

    private static final int LARGEST_ACK = 16 << 20;

    private final Asked asked;
    private final LongSupplier clock;
    private final LongSupplier wallMillis;
    private final Consumer<String> events;
    private final WireSettings producing;
    private final WireSettings reading;
    private final BootstrapBroker contact;
    private final PartitionLeaders leaders;
    private final WireOffsets offsets;
    private final ConnectionOpener toSend;
    private final ConnectionOpener toRead;
    private final List<WireSender> senders = new CopyOnWriteArrayList<>();
    private final List<EngineCounters<WireCount>> readers = new CopyOnWriteArrayList<>();
    private final ProducerSequences sequences;
    private final EngineCounters.Totals<WireCount> sent = new EngineCounters.Totals<>(WireCount.class);
    private final EngineCounters.Totals<WireCount> read = new EngineCounters.Totals<>(WireCount.class);

    /**
     * The cluster of the load, and the options of the connections.
     *
     * @param topics the names on the cluster, in the order of their indexes
     * @param readers the number of readers of all workers
     * @param headersOnly true to count records by their batches' headers
     */
    public record Asked(
            SortedMap<String, String> client,
            SortedMap<String, String> producer,
            SortedMap<String, String> consumer,
            List<String> topics,
            int readers,
            boolean headersOnly,
            RecordAudience audience) {
        public Asked {
            topics = List.copyOf(topics);
        }
    }

    public WireEngine(Asked asked, LongSupplier clock, LongSupplier wallMillis, Consumer<String> events) {
        this.asked = asked;
        this.clock = clock;
        this.wallMillis = wallMillis;
        this.events = events;
        this.sequences = new ProducerSequences(asked.audience);
        this.producing = WireSettings.producer(asked.client, asked.producer);
        this.reading = WireSettings.consumer(asked.client, asked.consumer);
        this.toSend = producing.dialer("weir-producer", LARGEST_ACK);
        long answer = (long) reading.number("fetch.max.bytes") + BEYOND;
        this.toRead = reading.dialer("weir-reader", (int) Math.min(answer, Integer.MAX_VALUE - BEYOND));
        BrokerAccess access = BrokerAccess.of(asked.client);
        Connection.Options looking = Connection.Options.named("weir-look");
        this.contact =
                new BootstrapBroker(Endpoint.list(asked.client.getOrDefault("bootstrap.servers", "")), access, looking);
        this.leaders = new PartitionLeaders(
                contact,
                asked.topics,
                Math.min(producing.millis("metadata.max.age.ms"), reading.millis("metadata.max.age.ms")),
                producing.millis("retry.backoff.ms"),
                clock);
        this.offsets = new WireOffsets(leaders, access, looking, WireOffsets.TIMEOUT);
    }

    @Override
    public int topics() {
        return asked.topics.size();
    }

    @Override
    public List<String> partitions() {
        return leaders.partitions().stream().map(LoadPartition::toString).toList();
    }

    @Override
    public long[] ends() {
        return offsets.of(Call.Place.END, reading.is("isolation.level", "read_committed"));
    }

    @Override
    public long[] logEnds() {
        return offsets.of(Call.Place.END, false);
    }

    @Override
    public long[] beginnings() {
        return offsets.of(Call.Place.BEGINNING, false);
    }

    @Override
    public long[] ackedEnds(List<String> partitions) {
        return AckedEnds.of(
                asked.topics, senders.stream().map(sender -> sender.ends).toList(), partitions);
    }

    @Override
    public List<PartitionGaps.Gap> gaps() {
        return AckedEnds.gaps(
                asked.topics, senders.stream().map(sender -> sender.ends).toList());
    }

    @Override
    public void update() {
        leaders.update();
    }

    @Override
    public Sender sender(int number) {
        ProducerSettings settings = producing.settings("weir-producer-" + number);
        WireSender sender = new WireSender(
                number,
                settings,
                settings.idempotent() ? newProducer() : NO_PRODUCER,
                leaders,
                toSend,
                sequences,
                clock,
                wallMillis,
                events);
        senders.add(sender);
        return sender;
    }

    private Call.Producer newProducer() {
        try {
            return contact.retry(Call::newProducer, TIMEOUT, producing.millis("retry.backoff.ms"));
        } catch (IOException e) {
            throw new IllegalStateException("requesting a producer id: " + e.getMessage(), e);
        }
    }

    @Override
    public Receiver receiver(int number, long[] from) {
        EngineCounters<WireCount> counters = new EngineCounters<>(WireCount.class);
        readers.add(counters);
        int atStart = from.length;
        BiPredicate<Integer, LoadPartition> share =
                (index, partition) -> Consuming.readerOf(index, partition.toString(), atStart, asked.readers) == number;
        return receiver("weir-reader-" + number, counters, share, from);
    }

    /** Returns immediately, because readers without a group have their positions from the start. */
    @Override
    public void awaitPositions(Duration limit) {}

    @Override
    public Receiver verifier(List<Integer> which, long[] from) {
        Set<Integer> these = Set.copyOf(which);
        return receiver(
                "weir-verify",
                new EngineCounters<>(WireCount.class),
                (index, partition) -> these.contains(index),
                from);
    }

    private Receiver receiver(
            String name, EngineCounters<WireCount> counters, BiPredicate<Integer, LoadPartition> share, long[] from) {
        FetchSettings fetching = FetchSettings.of(reading::text, asked.headersOnly);
        return new WireReceiver(
                reading.clientId(name),
                fetching,
                new WireReceiver.Context(leaders, toRead, this::beginnings, this::ends, sequences, clock),
                counters,
                share,
                from);
    }

    /** Reports the engine's own figures under the clients' names, each for the time since the previous report. */
    @Override
    public void report(Figures into) {
        if (!senders.isEmpty()) {
            sent.read(senders.stream().map(sender -> sender.counters).toList());
            sent.mean(into, "producer.batch-size-avg", WireCount.BYTES, WireCount.BATCHES, 1);
            sent.mean(into, "producer.records-per-request-avg", WireCount.RECORDS, WireCount.REQUESTS, 1);
            sent.mean(into, "producer.compression-rate-avg", WireCount.BYTES, WireCount.RAW_BYTES, 1);
            sent.mean(into, "producer.request-latency-avg", WireCount.LATENCY_NANOS, WireCount.REQUESTS, 1e6);
            sent.mean(into, "producer.record-queue-time-avg", WireCount.QUEUE_NANOS, WireCount.BATCHES, 1e6);
            sent.mean(into, "producer.produce-throttle-time-avg", WireCount.THROTTLE_MILLIS, WireCount.REQUESTS, 1);
            into.figure("producer.requests-in-flight", sent.total(WireCount.BEGUN) - sent.total(WireCount.REQUESTS));
            into.figure("producer.record-retry-total", sent.total(WireCount.RETRIES));
            into.figure("producer.record-error-total", sent.total(WireCount.ERRORS));
        }
        if (!readers.isEmpty()) {
            read.read(readers);
            read.mean(into, "consumer.fetch-latency-avg", WireCount.LATENCY_NANOS, WireCount.REQUESTS, 1e6);
            read.mean(into, "consumer.fetch-size-avg", WireCount.BYTES, WireCount.REQUESTS, 1);
            read.mean(into, "consumer.records-per-request-avg", WireCount.RECORDS, WireCount.REQUESTS, 1);
            read.mean(into, "consumer.fetch-throttle-time-avg", WireCount.THROTTLE_MILLIS, WireCount.REQUESTS, 1);
            into.figure("consumer.fetch-total", read.total(WireCount.REQUESTS));
        }
    }

    @Override
    public List<Property> properties() {
        List<Property> all = new ArrayList<>();
        if (!senders.isEmpty()) {
            all.addAll(producing.properties());
        }
        if (!readers.isEmpty()) {
            all.addAll(reading.properties());
        }
        return all;
    }

    @Override
    public List<String> notes() {
        return producing.is("acks", "0") ? List.of(UNCONFIRMED) : List.of();
    }

    @Override
    public void close() {
        leaders.close();
        offsets.close();
        contact.close();
        toSend.close();
        toRead.close();
    }

    /**
     * The start and end offsets of partitions, as their leaders report them; -1 without an answer in time. All leaders
     * are asked in parallel, so that a paused leader delays no other.
     */
    static final class WireOffsets implements AutoCloseable {
        static final Duration TIMEOUT = Duration.ofSeconds(2);
        private static final long UNKNOWN = -1;

        private final PartitionLeaders leaders;
        private final BrokerAccess access;
        private final Connection.Options options;
        private final Duration timeout;
        private final Map<Endpoint, BootstrapBroker> brokers = new ConcurrentHashMap<>();
        private final ExecutorService threads;

        WireOffsets(PartitionLeaders leaders, BrokerAccess access, Connection.Options options, Duration timeout) {
            this.leaders = leaders;
            this.access = access;
            this.options = options;
            this.timeout = timeout;
            this.threads = Executors.newCachedThreadPool(DaemonThreads.named("weir-offsets"));
        }

        long[] of(Call.Place place, boolean committed) {
            PartitionLeaders.View view = leaders.view();
            Map<Endpoint, List<Integer>> byLeader =
                    new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
            for (int i = 0; i < view.partitions().size(); i++) {
                PartitionLeader leader = view.leader(i);
                if (!leader.none()) {
                    byLeader.computeIfAbsent(leader.at(), at -> new ArrayList<>())
                            .add(i);
                }
            }
            long[] offsets = new long[view.partitions().size()];
            Arrays.fill(offsets, UNKNOWN);
            List<Callable<Map<Integer, Long>>> questions = new ArrayList<>();
            byLeader.forEach((at, which) -> questions.add(() -> ask(at, which, place, committed)));
            try {
                for (var answer : threads.invokeAll(questions, timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                    if (!answer.isCancelled()) {
                        answer.get().forEach((index, offset) -> offsets[index] = offset);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException("reading the end offsets of partitions", e);
            }
            if (Arrays.stream(offsets).anyMatch(offset -> offset == UNKNOWN)) {
                leaders.outdated(view);
            }
            return offsets;
        }

        private Map<Integer, Long> ask(Endpoint at, List<Integer> which, Call.Place place, boolean committed) {
            Map<Call.TopicPartitionName, Integer> spots = new HashMap<>();
            for (int index : which) {
                LoadPartition partition = leaders.partitions().get(index);
                spots.put(new Call.TopicPartitionName(partition.name(), partition.number()), index);
            }
            Map<Integer, Long> known = new TreeMap<>();
            try {
                brokers.computeIfAbsent(at, one -> new BootstrapBroker(List.of(one), access, options, timeout))
                        .ask((call, limit) -> call.offsets(List.copyOf(spots.keySet()), place, committed, limit))
                        .forEach((spot, answer) -> {
                            Integer index = spots.get(spot);
                            if (index != null && answer.fault().none()) {
                                known.put(index, answer.offset());
                            }
                        });
                return known;
            } catch (IOException away) {
                return Map.of();
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
            brokers.values().forEach(BootstrapBroker::close);
        }
    }
}
