package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;
import static weir.measure.Balances.assertCounts;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import weir.load.client.ClientDeadLetters;
import weir.load.client.ClientEngine;
import weir.load.engine.Engine;
import weir.measure.Balance;
import weir.measure.Steps;
import weir.real.Carried;
import weir.real.SharedKafka;
import weir.worker.Assignment;

/** Events that the Java client writes directly to the topic of dead letters. */
@ExtendWith(SharedKafka.class)
@Timeout(60)
class DeadLettersIT {
    @TempDir
    Path folder;

    private Balance carry(SharedKafka.Clusters clusters, String deadLetters, String more) throws Exception {
        Carried.Engines engines = (variant, cluster, topics, group, events) -> {
            ClientEngine client = new ClientEngine(
                    new ClientEngine.Connection(
                            cluster.clientProperties(),
                            variant.load().producers().properties(),
                            new TreeMap<>(),
                            topics,
                            variant.load(),
                            group,
                            0,
                            true,
                            true,
                            true,
                            false,
                            1),
                    System::nanoTime,
                    events);
            String topic = deadLetters.isEmpty() ? topics.get(0) : deadLetters;
            HttpReceiving receiving = new HttpReceiving(
                    new HttpReceiving.Asked(
                            new Assignment.Receiving("127.0.0.1:0", List.of(), false, false, ""),
                            ReceiverSpec.PLAIN,
                            1,
                            true,
                            Optional.of(new ClientDeadLetters(
                                    cluster.clientProperties(), topic, System::nanoTime, events))),
                    System::nanoTime);
            return new Engine(client, receiving, receiving);
        };
        Carried carried = Carried.load(clusters.one(), folder, engines, """
                topics: { letters: { partitions: 3 } }
                load: { workload: deliver, rate: max, %s }
                warmup: none
                measure: { operations: 2000 }
                drain: 1s
                """.formatted(more), load -> {}, topics -> {});
        return carried.ledger.balance(Steps.MEASURE);
    }

    @Test
    void eventsInTheTopicOfDeadLettersAreParked(SharedKafka.Clusters clusters) throws Exception {
        for (String more : List.of("value: { size: 100B }", "value: { content: planes }, key: sequence")) {
            Balance balance = carry(clusters, "", more);
            assertThat(balance.balances()).isTrue();
            assertCounts(balance, "acked 2000, parked 2000, lost 0");
        }
    }

    @Test
    void missingDeadLetterTopicLeavesEventsUnread(SharedKafka.Clusters clusters) throws Exception {
        Balance balance = carry(clusters, "no-such-topic", "value: { size: 100B }");
        assertCounts(balance, "parked 0, lost 0, unread 2000");
    }
}
