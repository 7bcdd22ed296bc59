package weir.cluster;

/** One partition of a topic. */
public record Partition(String topic, int number) {
    @Override
    public String toString() {
        return topic + "-" + number;
    }
}
