package weir.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.StartTimeouts;

class AdminAnswersTest {
    private static String ask(Queue<RuntimeException> before, Duration limit) {
        // Nobody listens there; the questions go elsewhere.
        try (AdminAnswers answers = new AdminAnswers(
                new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1")), new StartTimeouts(limit, () -> {}))) {
            return answers.to("something", admin -> {
                RuntimeException why = before.poll();
                return why == null ? CompletableFuture.completedFuture("known") : CompletableFuture.failedFuture(why);
            });
        }
    }

    @Test
    void aQuestionThatNobodyCanAnswerYetIsPutAgain() {
        Queue<RuntimeException> elections = new ArrayDeque<>(
                List.of(new LeaderNotAvailableException("electing"), new TimeoutException("nobody answers")));
        assertThat(ask(elections, Duration.ofMinutes(1))).isEqualTo("known");
    }

    @Test
    void whatNobodyCanAnswerInTimeIsThrownAsItIs() {
        Queue<RuntimeException> elections = new ArrayDeque<>(
                List.of(new LeaderNotAvailableException("electing"), new LeaderNotAvailableException("electing")));
        assertThatThrownBy(() -> ask(elections, Duration.ZERO)).isInstanceOf(LeaderNotAvailableException.class);
    }

    @Test
    void aClientThatNeverSaysAnythingIsNotWaitedForForEver() {
        // The time to wait is that limit and five seconds.
        StartTimeouts over = StartTimeouts.of(Duration.ofSeconds(-5));
        try (AdminAnswers answers = new AdminAnswers(new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1")), over)) {
            assertThatThrownBy(() -> answers.of("the brokers", new CompletableFuture<>()))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("nobody answered when asked for the brokers");
        }
    }

    /** A peer that declares a gigabyte where the heap has less is the death of the client's thread. */
    @Test
    @Timeout(20)
    @SuppressWarnings("try") // closing it early is how its thread dies
    void aClientWhoseThreadHasDiedIsNotWaitedFor() throws Exception {
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
                    .hasMessage("nobody answered when asked for the brokers: the client died of what it was sent");
        }
    }

    /** The thread that is watched is the client's own, also when others are made and closed at the same time. */
    @Test
    @Timeout(60)
    void aClientIsNotTakenForDeadWhenAnotherEnds() throws Exception {
        SortedMap<String, String> nowhere = new TreeMap<>(Map.of("bootstrap.servers", "127.0.0.1:1"));
        AtomicBoolean done = new AtomicBoolean();
        Thread others = new Thread(() -> {
            while (!done.get()) {
                Admin.create(new TreeMap<String, Object>(nowhere)).close(Duration.ZERO);
            }
        });
        others.start();
        List<AdminAnswers> all = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                all.add(new AdminAnswers(nowhere, StartTimeouts.of(Duration.ofSeconds(-5))));
            }
            // Each of them waits for a tenth of a second, so they wait together.
            ExecutorService asking = Executors.newFixedThreadPool(all.size());
            List<Future<?>> asked = all.stream()
                    .<Future<?>>map(
                            answers -> asking.submit(() -> answers.of("the brokers", new CompletableFuture<>())))
                    .toList();
            asking.shutdown();
            for (Future<?> each : asked) {
                assertThatThrownBy(each::get).cause().hasMessage("nobody answered when asked for the brokers");
            }
        } finally {
            done.set(true);
            others.join();
            all.forEach(AdminAnswers::close);
        }
    }

    @Test
    void thatATopicIsNotKnownOrLedElsewhereIsAnAnswer() {
        for (RuntimeException answer : List.of(
                new UnknownTopicOrPartitionException("no such"), new NotLeaderOrFollowerException("not here"))) {
            assertThatThrownBy(() -> ask(new ArrayDeque<>(List.of(answer)), Duration.ofMinutes(1)))
                    .isSameAs(answer);
        }
    }
}
