package weir.cluster.admin;

/** One partition of a topic. */
public record TopicPartitionLeader(String topic, int number) {
    @Override
    public String toString() {
        return topic + "-" + number;
    }
}
