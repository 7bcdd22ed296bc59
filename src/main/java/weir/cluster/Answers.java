package weir.cluster;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Answers of an admin client, as values or as Kafka's own exceptions. */
final class Answers {
    private Answers() {}

    /** Properties that only producers or consumers know are left to those. */
    static Admin ask(SortedMap<String, String> clientProperties) {
        Map<String, Object> known = new TreeMap<>(clientProperties);
        known.keySet().retainAll(AdminClientConfig.configNames());
        return Admin.create(known);
    }

    static <T> T of(Future<T> future, String what) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw failure(e, what);
        } catch (InterruptedException e) {
            throw interrupted(e, what);
        }
    }

    static RuntimeException failure(ExecutionException e, String what) {
        return e.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException("waiting for " + what, e);
    }

    static RuntimeException interrupted(InterruptedException e, String what) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for " + what, e);
    }
}
