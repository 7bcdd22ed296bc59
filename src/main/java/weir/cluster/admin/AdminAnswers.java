package weir.cluster.admin;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import weir.cluster.StartTimeouts;
import weir.plan.property.Properties;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** An admin client that waits for each answer and throws Kafka's own exceptions. */
public class AdminAnswers implements AutoCloseable {
    // A paused broker never answers, and the admin client asks another broker only after this timeout. So the timeout
    // is short, and Weir retries the request.
    private static final int CALL_MILLIS = 5_000;

    private static final long PAUSE_NANOS = 50_000_000;
    private static final long MARGIN_NANOS = 5_000_000_000L;

    private static final String CLIENT = "kafka-admin-client-thread";

    private static final AtomicInteger IDS = new AtomicInteger();

    private final Admin admin;
    private final Thread client;

    private final StartTimeouts timeout;

    public AdminAnswers(SortedMap<String, String> clientProperties, StartTimeouts timeout) {
        this.timeout = timeout;
        Map<String, Object> known = known(clientProperties);
        known.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, CALL_MILLIS);
        known.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, CALL_MILLIS);
        Object id = known.computeIfAbsent(
                AdminClientConfig.CLIENT_ID_CONFIG, unnamed -> "weir-admin-" + IDS.incrementAndGet());
        // Another client may have the same id. The new thread with the id belongs to this client.
        synchronized (IDS) {
            Set<Thread> before = threads();
            admin = Admin.create(known);
            client = threads().stream()
                    .filter(thread ->
                            !before.contains(thread) && thread.getName().equals(CLIENT + " | " + id))
                    .findFirst()
                    .orElseGet(Thread::currentThread);
        }
    }

    static Map<String, Object> known(SortedMap<String, String> clientProperties) {
        Map<String, Object> known = new TreeMap<>(clientProperties);
        known.keySet()
                .removeIf(name -> Properties.known().containsKey(name)
                        && !AdminClientConfig.configNames().contains(name));
        return known;
    }

    private static Set<Thread> threads() {
        Thread[] all = new Thread[2 * Thread.activeCount() + 16];
        int count = Thread.enumerate(all);
        return new HashSet<>(Arrays.asList(all).subList(0, count));
    }

    /**
     * Asks, and retries until a broker answers, so the question must be idempotent. Errors about an unknown topic or a
     * wrong leader count as answers.
     */
    public <T> T to(String what, Function<Admin, Future<T>> question) {
        TimeLimit deadline = MachineClock.within(timeout.limit());
        while (true) {
            try {
                return once(what, question);
            } catch (TimeoutException | LeaderNotAvailableException e) {
                if (deadline.passed()) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    public <T> T once(String what, Function<Admin, Future<T>> question) {
        return of(what, ask(question));
    }

    /** Returns the finalized level of a feature; 0 if the feature is off or unknown. */
    int feature(String name) {
        var agreed = to("features", admin -> admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(name);
        return agreed == null ? 0 : agreed.maxVersionLevel();
    }

    <R> R ask(Function<Admin, R> question) {
        return question.apply(admin);
    }

    <T> T of(String what, Future<T> answer) {
        TimeLimit deadline = MachineClock.within(timeout.limit().plusNanos(MARGIN_NANOS));
        while (true) {
            try {
                return answer.get(100, TimeUnit.MILLISECONDS);
            } catch (java.util.concurrent.TimeoutException notYet) {
                timeout.alive().run();
                // A client never reports that its thread has died, for example after an answer that announces a
                // gigabyte.
                if (deadline.passed() || (!client.isAlive() && !answer.isDone())) {
                    throw new TimeoutException("no broker answered the request for " + what
                            + (client.isAlive() ? "" : ": the answer crashed the client"));
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException cause
                        ? cause
                        : new IllegalStateException("requesting " + what, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while asking for " + what, e);
            }
        }
    }

    public Set<Integer> brokers() {
        return to("the brokers", admin -> admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public Set<String> topics(boolean internal) {
        ListTopicsOptions options = new ListTopicsOptions().listInternal(internal);
        return to("the topics", admin -> admin.listTopics(options).names());
    }

    public Map<String, TopicDescription> describe(Collection<String> topics) {
        return to("topics " + topics, admin -> admin.describeTopics(topics).allTopicNames());
    }

    public boolean know(String topic) {
        try {
            return !describe(List.of(topic)).isEmpty();
        } catch (UnknownTopicOrPartitionException unknown) {
            return false;
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
