package weir.load.wire;

import weir.wire.TopicId;

/**
 * One partition of the load.
 *
 * @param topic its index among the topics of the load
 * @param name of the topic
 * @param id of the topic, which stays as it is: a topic of the same name with another id is another topic
 * @param number within the topic
 */
record LoadPartition(int topic, String name, TopicId id, int number) {
    @Override
    public String toString() {
        return name + "-" + number;
    }
}
