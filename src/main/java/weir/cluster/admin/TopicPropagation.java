package weir.cluster.admin;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.DescribeProducersOptions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import weir.cluster.StartTimeouts;

/** Waits until the news of a topic that was made has reached every broker, and every partition has a leader. */
record TopicPropagation(AdminAnswers answers, StartTimeouts patience) {
    /** How often those are asked who cannot be chosen. */
    private static final int OFTEN = 16;

    /** Until the broker has heard of this partition, the last one of its topic. */
    void await(TopicPartition last, int broker) {
        patience.until("topic '" + last.topic() + "' at broker " + broker, () -> known(last, broker));
    }

    // The one question about a topic that can be put to a chosen broker: one that has heard of the partition answers,
    // or says that it has no replica of it. Brokers before 2.8 are not chosen, and it takes the right to read: then any
    // of them answers, and asked so often for each of them, one that has not heard would hardly ever be missed. With
    // three brokers a trial in which one was asked too early ended at once.
    private boolean known(TopicPartition partition, int broker) {
        DescribeProducersOptions there = new DescribeProducersOptions().brokerId(broker);
        try {
            answers.once(
                    "what broker " + broker + " knows of " + partition,
                    admin -> admin.describeProducers(List.of(partition), there).all());
            return true;
        } catch (TimeoutException | LeaderNotAvailableException silent) {
            // One that died a moment ago is still counted on for some seconds; then nobody waits for it.
            return !answers.brokers().contains(broker);
        } catch (NotLeaderOrFollowerException elsewhere) {
            return true;
        } catch (UnsupportedVersionException | AuthorizationException unanswerable) {
            return IntStream.range(0, OFTEN).allMatch(time -> answers.know(partition.topic()));
        } catch (UnknownTopicOrPartitionException notYet) {
            return false;
        }
    }

    void awaitLeaders(Collection<String> topics) {
        patience.until(
                "leaders of all partitions of our topics",
                () -> answers.describe(topics).values().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .allMatch(partition -> partition.leader() != null));
    }
}
