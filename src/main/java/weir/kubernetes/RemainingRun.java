package weir.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A run whose owner is in a namespace. All times are by the clock of the API server, since those of nodes may be wrong.
 *
 * @param made when it was made
 * @param alive when its conductor last renewed its lease, or when it was made
 * @param byHand true when somebody applied what {@code weir deploy kubernetes} prints: its objects have no owner
 */
record RemainingRun(String name, Instant made, Instant alive, boolean byHand) {
    /** A conductor renews its lease from the moment on when its image is there and its JVM has started. */
    private static final Duration STARTING = Duration.ofSeconds(90);

    static List<RemainingRun> find(KubernetesClient client, String namespace) {
        Map<String, Lease> leases = client
                .leases()
                .inNamespace(namespace)
                .withLabel(RunIdentity.MANAGED_BY, RunIdentity.PROGRAM)
                .list()
                .getItems()
                .stream()
                .collect(Collectors.toMap(lease -> lease.getMetadata().getName(), Function.identity()));
        return client
                .configMaps()
                .inNamespace(namespace)
                .withLabel(RunIdentity.MANAGED_BY, RunIdentity.PROGRAM)
                .list()
                .getItems()
                .stream()
                .map(owner -> of(owner, leases))
                .toList();
    }

    private static RemainingRun of(ConfigMap owner, Map<String, Lease> leases) {
        String name = owner.getMetadata().getName();
        Lease lease = leases.get(name);
        Instant made = created(owner);
        return lease == null
                ? new RemainingRun(name, made, made, false)
                : new RemainingRun(
                        name,
                        made,
                        changed(lease),
                        lease.getMetadata().getOwnerReferences().isEmpty());
    }

    private static Instant created(HasMetadata object) {
        return Instant.parse(object.getMetadata().getCreationTimestamp());
    }

    /** The API server notes when fields of an object were applied. */
    private static Instant changed(Lease lease) {
        return lease.getMetadata().getManagedFields().stream()
                .map(ManagedFieldsEntry::getTime)
                .filter(Objects::nonNull)
                .map(Instant::parse)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> created(lease));
    }

    boolean lives(Instant now) {
        return now.isBefore(alive.plus(RunObjects.LEASE)) || now.isBefore(made.plus(STARTING));
    }

    /** As in "90 s", "12 min" or "50 h". */
    static String age(Instant then, Instant now) {
        long seconds = Math.max(0, Duration.between(then, now).toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        return seconds < 7_200 ? seconds / 60 + " min" : seconds / 3_600 + " h";
    }
}
