package weir.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import weir.cluster.Broker;
import weir.cluster.NodeDeath;
import weir.cluster.admin.TrialTopics;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Journal;
import weir.host.ProcessAction;

/** Three brokers that are killed, paused, stopped and restarted, and one that dies by itself. */
@ExtendWith(SharedKafka.class)
@Execution(ExecutionMode.SAME_THREAD)
@Timeout(180)
class BrokersIT {
    @TempDir
    Path folder;

    @Test
    void brokersAreKilledPausedStoppedAndRestarted(SharedKafka.Clusters clusters) throws Exception {
        BlockingQueue<NodeDeath> deaths = new LinkedBlockingQueue<>();
        EmbeddedCluster cluster = clusters.three();
        try (Journal journal = Journal.open(folder.resolve("state"));
                TrialTopics topics = TrialTopics.on(cluster, name -> name, journal)) {
            cluster.onDeath(deaths::add);
            assertThat(cluster.brokers()).extracting(Broker::rack).containsExactly("rack-1", "rack-2", "rack-3");
            topics.create(Map.of("a", Kafkas.topic(3, 3, 1)));

            cluster.act(ProcessAction.KILL, 2);
            assertThat(cluster.brokers().get(1).pid()).isEqualTo(-1);
            awaitUnderReplicated(topics, 3);
            Log.write(cluster, "a", 1);
            cluster.restart(2);
            awaitUnderReplicated(topics, 0);

            cluster.act(ProcessAction.PAUSE, 3);
            awaitUnderReplicated(topics, 3);
            cluster.act(ProcessAction.RESUME, 3);
            awaitUnderReplicated(topics, 0);

            cluster.act(ProcessAction.STOP, 1);
            assertThat(Files.readString(cluster.brokers().get(0).log()))
                    .contains("Transition from SHUTTING_DOWN to SHUTDOWN");
            cluster.restart(1);
            awaitUnderReplicated(topics, 0);
            assertThat(deaths).as("all of these were asked for").isEmpty();

            ProcessHandle.of(cluster.brokers().get(2).pid()).orElseThrow().destroyForcibly();
            NodeDeath death = deaths.poll(30, TimeUnit.SECONDS);
            assertThat(death).isNotNull();
            assertThat(death.broker()).isEqualTo(3);
            assertThat(death.exitCode()).isEqualTo(128 + 9);
            assertThat(death.lastLines()).isNotEmpty();
            cluster.restart(3);
            awaitUnderReplicated(topics, 0);
            topics.delete();
        }
    }

    private static void awaitUnderReplicated(TrialTopics topics, int partitions) {
        while (topics.underReplicated().size() != partitions) {
            LockSupport.parkNanos(50_000_000);
        }
    }
}
