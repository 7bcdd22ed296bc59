package weir.bridge;

import java.util.concurrent.CompletionStage;

/**
 * The topics that are there. Kafka's client waits a while for one that is not, and everybody behind it waits, too; so a
 * request that asks for it is refused.
 */
interface KnownTopics extends AutoCloseable {
    boolean has(String topic);

    /** The number of partitions of a topic; it is asked for anew unless one of this number is known. */
    CompletionStage<Integer> partitions(String topic, int partition);

    @Override
    void close();
}
