package weir.load.wire;

import org.apache.kafka.common.Uuid;

/**
 * One partition of the load.
 *
 * @param topic its index among the topics of the load
 * @param id the id of the topic, which differs for a recreated topic
 */
record LoadPartition(int topic, String name, Uuid id, int number) {
    @Override
    public String toString() {
        return name + "-" + number;
    }
}
