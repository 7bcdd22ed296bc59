package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.StartTimeouts;
import weir.cluster.admin.ClusterSurvey.SurveyAnswer;
import weir.cluster.start.ExternalCluster;

class ClusterSurveyorTest {
    private static final SortedMap<String, String> NOWHERE = new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1"));

    private static final Cluster GIVEN = new ExternalCluster(
            "b1:9092", NOWHERE, "id", "4.3.1", List.of(new Broker(1, "b1:9092", "", "", -1, Path.of(""), Path.of(""))));

    /** Equal answers except for the brokers. */
    private static final class Alike extends AdminAnswers {
        private final RuntimeException answer;
        private final boolean alive;
        private final boolean noTopics;

        Alike(RuntimeException answer, boolean alive, boolean noTopics) {
            super(NOWHERE, StartTimeouts.of(Duration.ofSeconds(1)));
            this.answer = answer;
            this.alive = alive;
            this.noTopics = noTopics;
        }

        @Override
        @SuppressWarnings("unchecked") // what is asked for are the names of topics
        public <T> T to(String what, Function<Admin, Future<T>> question) {
            if (what.equals("the topics") && noTopics) {
                return (T) Set.of();
            }
            throw answer;
        }

        @Override
        public Set<Integer> brokers() {
            if (!alive) {
                throw answer;
            }
            return Set.of(1);
        }
    }

    private static ClusterUnavailable thrown(RuntimeException answer, boolean alive) {
        try {
            throw new AssertionError(ClusterSurveyor.survey(GIVEN, new Alike(answer, alive, false)));
        } catch (ClusterUnavailable unavailable) {
            return unavailable;
        }
    }

    @Test
    void aClusterThatFallsSilentIsUnavailableAndNotWell() {
        assertThat(thrown(new TimeoutException("no broker answered the request for"), false))
                .hasMessage("reading the state of the cluster at b1:9092: no broker answered the request for");
    }

    @Test
    void clusterThatRefusesEveryRequestIsNotJudged() {
        assertThat(thrown(new ClusterAuthorizationException("not authorized"), true))
                .hasMessageStartingWith(
                        "the cluster at b1:9092 refuses all requests for its state: not authorized; use a");
        assertThat(thrown(new TimeoutException("no broker answered the request for"), true))
                .hasMessageContaining("no broker answered the request for");
    }

    /** One hanging broker does not hide the answers of others. */
    @Test
    void surveyKeepsOtherAnswersIfOneRequestTimesOut() {
        ClusterSurvey survey =
                ClusterSurveyor.survey(GIVEN, new Alike(new TimeoutException("broker 1 hangs"), true, true));
        assertThat(survey.topics()).isEqualTo(new SurveyAnswer.Answered<>(List.of()));
        assertThat(survey.disks()).isEqualTo(new SurveyAnswer.Refused<>("broker 1 hangs"));
    }

    @Test
    void aVoterThatDoesNotFetchIsSilentAtOnce() {
        Set<Integer> voters = Set.of(1, 2, 3);
        assertThat(ClusterSurveyor.silent(1, voters, Map.of(1, 100_000L, 2, 99_500L, 3, 89_000L)))
                .containsExactly(3);
        assertThat(ClusterSurveyor.silent(1, voters, Map.of(1, 100_000L, 2, 99_500L)))
                .as("one that never did")
                .containsExactly(3);
        assertThat(ClusterSurveyor.silent(1, voters, Map.of()))
                .as("before Kafka 3.3 nobody tells")
                .isEmpty();
    }

    @Test
    void metadataLevelIsTheLowestOfAllBrokers() {
        ClusterSurvey.Level level =
                new ClusterSurvey.Level(0, 0).with(25, 29).with(25, 27).with(25, 29);
        assertThat(level).isEqualTo(new ClusterSurvey.Level(25, 27));
    }

    private static String ask(Queue<RuntimeException> before, Duration limit) {
        // No server listens there; the requests go elsewhere.
        try (AdminAnswers answers = new AdminAnswers(NOWHERE, new StartTimeouts(limit, () -> {}))) {
            return answers.to("something", admin -> {
                RuntimeException why = before.poll();
                return why == null ? CompletableFuture.completedFuture("known") : CompletableFuture.failedFuture(why);
            });
        }
    }

    @Test
    void requestIsRetriedWhileALeaderIsElected() {
        Queue<RuntimeException> elections = new ArrayDeque<>(
                List.of(new LeaderNotAvailableException("electing"), new TimeoutException("no broker answers")));
        assertThat(ask(elections, Duration.ofMinutes(1))).isEqualTo("known");
    }

    @Test
    void requestWithoutAnswerInTimeThrowsTheOriginalException() {
        Queue<RuntimeException> elections = new ArrayDeque<>(
                List.of(new LeaderNotAvailableException("electing"), new LeaderNotAvailableException("electing")));
        assertThatThrownBy(() -> ask(elections, Duration.ZERO)).isInstanceOf(LeaderNotAvailableException.class);
    }

    @Test
    void silentAdminClientTimesOut() {
        // The wait is this limit plus five seconds.
        StartTimeouts over = StartTimeouts.of(Duration.ofSeconds(-5));
        try (AdminAnswers answers = new AdminAnswers(NOWHERE, over)) {
            assertThatThrownBy(() -> answers.of("the brokers", new CompletableFuture<>()))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("no broker answered the request for the brokers");
        }
    }

    /** An answer that declares more bytes than the heap has kills the client's thread. */
    @Test
    @Timeout(20)
    @SuppressWarnings("try") // closing it early is how its thread dies
    void deadAdminClientThreadEndsTheWait() throws Exception {
        SortedMap<String, String> nowhere =
                new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1", "client.id", "dies-early"));
        try (AdminAnswers answers = new AdminAnswers(nowhere, StartTimeouts.of(Duration.ofMinutes(1)))) {
            Thread client = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("kafka-admin-client-thread | dies-early"))
                    .findFirst()
                    .orElseThrow();
            answers.close();
            client.join(10_000);
            assertThatThrownBy(() -> answers.of("the brokers", new CompletableFuture<>()))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessage("no broker answered the request for the brokers: the answer crashed the client");
        }
    }

    /** The watched thread is the client's own, even if tests make and close other clients at the same time. */
    @Test
    @Timeout(60)
    void aClientIsNotTakenForDeadWhenAnotherEnds() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread others = new Thread(() -> {
            while (!done.get()) {
                Admin.create(new TreeMap<String, Object>(NOWHERE)).close(Duration.ZERO);
            }
        });
        others.start();
        List<AdminAnswers> all = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                all.add(new AdminAnswers(NOWHERE, StartTimeouts.of(Duration.ofSeconds(-5))));
            }
            // Each request waits for a tenth of a second, so all requests must wait at the same time.
            ExecutorService asking = Executors.newFixedThreadPool(all.size());
            List<Future<?>> asked = all.stream()
                    .<Future<?>>map(
                            answers -> asking.submit(() -> answers.of("the brokers", new CompletableFuture<>())))
                    .toList();
            asking.shutdown();
            for (Future<?> each : asked) {
                assertThatThrownBy(each::get).cause().hasMessage("no broker answered the request for the brokers");
            }
        } finally {
            done.set(true);
            others.join();
            all.forEach(AdminAnswers::close);
        }
    }

    @Test
    void unknownTopicAndWrongLeaderAreNotRetried() {
        for (RuntimeException answer : List.of(
                new UnknownTopicOrPartitionException("no such"), new NotLeaderOrFollowerException("not here"))) {
            assertThatThrownBy(() -> ask(new ArrayDeque<>(List.of(answer)), Duration.ofMinutes(1)))
                    .isSameAs(answer);
        }
    }
}
