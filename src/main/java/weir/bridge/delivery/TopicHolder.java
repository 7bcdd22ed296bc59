package weir.bridge.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** The reading half of a channel in Kafka, and all of a source: hands what stands in a topic to all subscribers. */
final class TopicHolder implements Holder {
    private static final String GROUP = "group.id";
    private static final String FETCH_MOST = "fetch.max.bytes";
    private static final long SMALLEST_FETCH = 1 << 20;
    private static final long LARGEST_FETCH = 50 << 20;

    private final List<TopicReader> readers = new ArrayList<>();

    /**
     * One consumer, and one position, for each subscriber.
     *
     * @param acks hears of what was fetched first, where this process writes to the topic, too
     */
    TopicHolder(
            RungSettings settings,
            Subscribers subscribers,
            Optional<? extends Subscribers.LoopOutlet> deadLetters,
            KafkaClients clients,
            Optional<AckTimes> acks,
            RungFigures figures,
            LongSupplier clock) {
        long memory = settings.dispatch().memory().bytes() / subscribers.count();
        for (int i = 0; i < subscribers.count(); i++) {
            TopicReader reader = new TopicReader(
                    clients.consumer(properties(settings.consumer(), memory, i + 1)),
                    settings.topic(),
                    memory,
                    clock,
                    "weir-rung-reader-" + (i + 1));
            readers.add(reader);
            boolean first = i == 0;
            Dispatching settling =
                    first ? new First(reader, new DispatchFigures(figures, true, clock)) : new Other(reader);
            SubscriberQueue queue = subscribers.queue(i, deadLetters, settling);
            reader.start(event -> {
                if (first && acks.isPresent()) {
                    acks.get().fetched(event.partition(), event.mark().offset(), event.beginNanos());
                }
                queue.add(event);
            });
        }
    }

    private static SortedMap<String, String> properties(SortedMap<String, String> asked, long memory, int number) {
        SortedMap<String, String> properties = new TreeMap<>(asked);
        properties.put(GROUP, asked.getOrDefault(GROUP, "weir") + "-" + number);
        properties.put("enable.auto.commit", "false");
        properties.putIfAbsent("auto.offset.reset", "earliest");
        long most = Math.max(SMALLEST_FETCH, Math.min(LARGEST_FETCH, memory / 2));
        properties.putIfAbsent(FETCH_MOST, String.valueOf(most));
        return properties;
    }

    private static class Other implements Dispatching {
        private final TopicReader reader;

        Other(TopicReader reader) {
            this.reader = reader;
        }

        @Override
        public void settled(HeldEvent event, Fate fate, Outcome outcome) {
            reader.settle(event);
        }

        @Override
        public void retried(HeldEvent event) {}
    }

    private static final class First extends Other {
        private final Dispatching listener;

        First(TopicReader reader, Dispatching listener) {
            super(reader);
            this.listener = listener;
        }

        @Override
        public void settled(HeldEvent event, Fate fate, Outcome outcome) {
            listener.settled(event, fate, outcome);
            super.settled(event, fate, outcome);
        }

        @Override
        public void retried(HeldEvent event) {
            listener.retried(event);
        }
    }

    @Override
    public CompletionStage<Long> held() {
        return readers.get(0).held();
    }

    @Override
    public long heldLately() {
        return readers.get(0).heldLately();
    }

    @Override
    public String fault() {
        for (TopicReader each : readers) {
            if (!each.fault().isEmpty()) {
                return each.fault();
            }
        }
        return "";
    }

    @Override
    public void drain(long deadlineNanos) {
        readers.forEach(reader -> reader.drain(deadlineNanos));
        readers.forEach(reader -> reader.await(deadlineNanos));
    }

    @Override
    public void close() {
        readers.forEach(TopicReader::close);
    }
}
