package weir.bridge;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.common.errors.TimeoutException;
import weir.bridge.kafka.Availability;

/** The topics of a cluster, asked for every other second. */
final class PolledTopics implements Gateway.KnownTopics {
    private static final int EVERY_MILLIS = 2_000;
    private static final Duration AT_FIRST = Duration.ofSeconds(20);
    private static final Duration LATER = Duration.ofSeconds(10);

    private final Admin admin;
    private final Availability availability;
    private final Thread thread = new Thread(this::run, "weir-gateway-topics");
    /** Numbers of partitions, by topic, as far as a request needed one. */
    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();

    private final Map<String, CompletableFuture<Integer>> asked = new ConcurrentHashMap<>();
    private volatile Set<String> topics = Set.of();

    private PolledTopics(Admin admin, Availability availability) {
        this.admin = admin;
        this.availability = availability;
        this.thread.setDaemon(true);
    }

    static PolledTopics of(SortedMap<String, String> client, Availability availability) {
        SortedMap<String, Object> known = new TreeMap<>(client);
        known.keySet().retainAll(AdminClientConfig.configNames());
        PolledTopics all = new PolledTopics(Admin.create(known), availability);
        try {
            all.ask(AT_FIRST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            all.admin.close(Duration.ZERO);
            throw new IllegalStateException("asking for the topics: " + e.getCause(), e);
        }
        all.thread.start();
        return all;
    }

    @Override
    public boolean has(String topic) {
        return topics.contains(topic);
    }

    @Override
    public CompletionStage<Integer> partitions(String topic, int partition) {
        Integer known = partitions.get(topic);
        if (known != null && known > partition) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Integer> answer = asked.computeIfAbsent(topic, this::describe);
        // Outside of the map: one that is answered at once would change it while it is changed.
        var unused = answer.whenComplete((count, fault) -> asked.remove(topic, answer));
        return answer;
    }

    private CompletableFuture<Integer> describe(String topic) {
        DescribeTopicsOptions options = new DescribeTopicsOptions().timeoutMs((int) LATER.toMillis());
        return admin.describeTopics(List.of(topic), options)
                .allTopicNames()
                .toCompletionStage()
                .thenApply(described -> {
                    int count =
                            described.values().iterator().next().partitions().size();
                    partitions.put(topic, count);
                    return count;
                })
                .toCompletableFuture();
    }

    private void ask(Duration limit) throws InterruptedException, ExecutionException {
        ListTopicsOptions options = new ListTopicsOptions().timeoutMs((int) limit.toMillis());
        topics = Set.copyOf(admin.listTopics(options).names().get());
        partitions.keySet().retainAll(topics);
        availability.answered();
    }

    private void run() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
                askAgain();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Topics that were there last are as good a guess as any until a broker answers again. */
    private void askAgain() throws InterruptedException {
        long answers = availability.answers();
        try {
            ask(LATER);
        } catch (ExecutionException away) {
            if (away.getCause() instanceof TimeoutException late) {
                availability.failed(answers, late);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        admin.close(Duration.ZERO);
    }
}
