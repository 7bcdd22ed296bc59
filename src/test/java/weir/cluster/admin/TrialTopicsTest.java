package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.start.ExternalCluster;
import weir.host.Journal;
import weir.plan.TopicSpec;

class TrialTopicsTest {
    private static final String NAME = "weir-x-t";
    private static final Map<String, TopicSpec> PLAN = Map.of("t", new TopicSpec(1, 1, 1, false, new TreeMap<>()));

    @TempDir
    private Path state;

    /** A cluster that has died: it repeats its earlier answers and gives no others. */
    private static final class Dying extends AdminAnswers {
        private final Queue<KafkaFuture<Void>> answers = new ArrayDeque<>();
        private boolean silent;

        Dying() {
            super(new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1")), StartTimeouts.of(Duration.ZERO));
        }

        Dying says(KafkaFuture<Void> answer) {
            answers.add(answer);
            return this;
        }

        void fallsSilent() {
            silent = true;
        }

        @Override
        @SuppressWarnings("unchecked")
        <R> R ask(Function<Admin, R> question) {
            return (R) Map.of(NAME, answers.remove());
        }

        @Override
        @SuppressWarnings("NullAway") // which cluster it is does not matter here
        public <T> T once(String what, Function<Admin, Future<T>> question) {
            if (what.equals("the cluster") && !silent) {
                return null;
            }
            throw new TimeoutException("Timed out waiting for a node assignment. Call: describeProducers");
        }

        @Override
        public Set<Integer> brokers() {
            return Set.of();
        }

        @Override
        public boolean know(String topic) {
            return false;
        }

        @Override
        public Map<String, TopicDescription> describe(Collection<String> topics) {
            return Map.of();
        }
    }

    private static KafkaFuture<Void> fails(RuntimeException why) {
        KafkaFutureImpl<Void> future = new KafkaFutureImpl<>();
        future.completeExceptionally(why);
        return future;
    }

    private static KafkaFuture<Void> done() {
        return KafkaFuture.completedFuture(null);
    }

    private TrialTopics on(Dying answers, Journal journal) {
        Broker broker = new Broker(1, "there:9092", "", "", -1, Path.of(""), Path.of(""));
        TreeMap<String, String> client = new TreeMap<>(Map.of("bootstrap.servers", "there:9092"));
        Cluster cluster = new ExternalCluster("there:9092", client, "id", "4.3.1", List.of(broker));
        return new TrialTopics(cluster, name -> "weir-x-" + name, journal, answers);
    }

    private String journaled() {
        try (Stream<Path> files = Files.list(state.resolve("journal"))) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void undeletableTopicsStayInTheJournalAndAreReportedWithTheCleanupCommand() {
        TimeoutException silence = new TimeoutException("Timed out waiting for a node assignment. Call: deleteTopics");
        Dying answers = new Dying().says(done()).says(fails(silence)).says(done());
        Journal journal = Journal.open(state);
        try (TrialTopics topics = on(answers, journal)) {
            topics.create(PLAN);
            assertThatThrownBy(topics::delete)
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("topic weir-x-t is left on there:9092 (Timed out")
                    .hasMessageEndingWith("weir doctor --clean --bootstrap-server there:9092");
            journal.close();
            assertThat(journaled()).contains(NAME);
            topics.delete();
            journal.close();
            assertThat(journaled()).isEmpty();
        }
    }

    @Test
    void topicIsDeletedIfItsCreationTimedOut() {
        Dying answers = new Dying()
                .says(fails(new TimeoutException("silence")))
                .says(fails(new UnknownTopicOrPartitionException("it was not made")));
        Journal journal = Journal.open(state);
        try (TrialTopics topics = on(answers, journal)) {
            assertThatThrownBy(() -> topics.create(PLAN)).isInstanceOf(ClusterUnavailable.class);
            assertThat(journaled()).contains(NAME);
            topics.delete();
            journal.close();
            assertThat(journaled()).isEmpty();
        }
    }

    @Test
    void topicIsCreatedAgainAfterTheEndOfADeletedTopic() {
        Dying answers = new Dying()
                .says(fails(new TopicExistsException("Topic 'weir-x-t' is marked for deletion.")))
                .says(done())
                .says(done());
        Journal journal = Journal.open(state);
        try (TrialTopics topics = on(answers, journal)) {
            topics.create(PLAN);
            assertThat(journaled()).contains(NAME);
            topics.delete();
            journal.close();
            assertThat(journaled()).isEmpty();
        }
    }

    @Test
    void silentClusterGetsNoTopicCreationOrDeletion() {
        Dying answers = new Dying().says(done());
        Journal journal = Journal.open(state);
        try (TrialTopics topics = on(answers, journal)) {
            topics.create(PLAN);
            answers.fallsSilent();
            assertThatThrownBy(topics::delete)
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("is left on there:9092");
        }
        try (TrialTopics topics = on(answers, journal)) {
            assertThatThrownBy(() -> topics.create(PLAN))
                    .isInstanceOf(ClusterUnavailable.class)
                    .hasMessageContaining("the cluster at there:9092 does not answer");
            // No topic was made, so there is none to delete.
            topics.delete();
        }
    }

    /** A cluster whose topics the user may write but not read. */
    private static final class Writable extends AdminAnswers {
        private int asked;

        Writable() {
            super(new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1")), StartTimeouts.of(Duration.ZERO));
        }

        @Override
        public <T> T once(String what, Function<Admin, Future<T>> question) {
            throw new TopicAuthorizationException("Failed to describe active producers");
        }

        @Override
        public boolean know(String topic) {
            return ++asked > 1;
        }
    }

    @Test
    void propagationIsPolledOnAnyBrokerIfReadingIsNotAuthorized() {
        try (Writable answers = new Writable()) {
            new TrialTopics.TopicPropagation(answers, StartTimeouts.of(Duration.ofSeconds(5)))
                    .await(new TopicPartition(NAME, 0), 1);
            assertThat(answers.asked).isEqualTo(17);
        }
    }

    @Test
    void topicPropagationSkipsDeadBrokers() {
        try (AdminAnswers answers = new Dying()) {
            new TrialTopics.TopicPropagation(answers, StartTimeouts.of(Duration.ZERO))
                    .await(new TopicPartition(NAME, 0), 2);
            assertThat(answers.brokers()).doesNotContain(2);
        }
    }
}
