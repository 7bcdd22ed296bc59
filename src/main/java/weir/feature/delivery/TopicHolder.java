package weir.feature.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** The reading half of a channel in Kafka, or a whole source: it passes a topic's records to all subscribers. */
final class TopicHolder implements Holder, AutoCloseable {
    private static final String GROUP = "group.id";
    private static final long SMALLEST_FETCH = 1 << 20;
    private static final long LARGEST_FETCH = 50 << 20;

    private final List<TopicReader> readers = new ArrayList<>();

    /**
     * One consumer, and one position, for each subscriber.
     *
     * @param written true where this process writes to the topic, too
     */
    TopicHolder(RungContext rung, Subscribers subscribers, Optional<DeadLetterWriter> deadLetters, boolean written) {
        long memory = rung.dispatch().memory().bytes() / subscribers.count();
        for (int i = 0; i < subscribers.count(); i++) {
            TopicReader reader = new TopicReader(
                    rung.clients().consumer(properties(rung.settings().consumer(), memory, i + 1)),
                    rung.settings().topic(),
                    memory,
                    rung.clock(),
                    "weir-rung-reader-" + (i + 1));
            readers.add(reader);
            boolean tells = written && i == 0;
            Subscribers.Queue queue = subscribers.queue(i, deadLetters, true, reader::settle);
            reader.start(event -> {
                if (tells) {
                    rung.figures().fetched(event.partition, event.mark.offset, event.beginNanos);
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
        properties.putIfAbsent("fetch.max.bytes", String.valueOf(most));
        return properties;
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
        return readers.stream()
                .map(TopicReader::fault)
                .filter(fault -> !fault.isEmpty())
                .findFirst()
                .orElse("");
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
