package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** All objects of one run, which Kubernetes deletes after their owner object. */
record OwnedObjects(KubernetesClient client, RunIdentity run) {
    private static final Duration DELETING = Duration.ofSeconds(60);
    private static final long GLANCE = 200_000_000;

    /** Deletes the owner, and waits until the owner and all pods are gone; false if some exist after a minute. */
    boolean delete() {
        client.configMaps()
                .inNamespace(run.namespace())
                .withName(run.name())
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        TimeLimit deadline = MachineClock.within(DELETING);
        while (exist()) {
            if (deadline.passed()) {
                return false;
            }
            LockSupport.parkNanos(GLANCE);
        }
        return true;
    }

    private boolean exist() {
        boolean owner = client.configMaps()
                        .inNamespace(run.namespace())
                        .withName(run.name())
                        .get()
                != null;
        return owner
                || !client.pods()
                        .inNamespace(run.namespace())
                        .withLabel(Component.INSTANCE, run.name())
                        .list()
                        .getItems()
                        .isEmpty();
    }
}
