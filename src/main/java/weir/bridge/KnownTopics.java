package weir.bridge;

/**
 * The topics that are there. Kafka's client waits a while for one that is not, and everybody behind it waits, too; so a
 * request that asks for it is refused.
 */
interface KnownTopics extends AutoCloseable {
    boolean has(String topic);

    @Override
    void close();
}
