package weir.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import weir.time.MachineClock;
import weir.time.TimeLimit;
import weir.worker.agent.WorkerHosts;

/** The pod of the conductor of a run, seen from outside. */
record ConductorPod(KubernetesClient client, RunIdentity run) {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final long GLANCE = 200_000_000;

    @Nullable Pod get() {
        return client.pods()
                .inNamespace(run.namespace())
                .withName(RunObjects.podName(run))
                .get();
    }

    /**
     * Waits until the conductor listens.
     *
     * @param stops true once the wait is cancelled
     * @throws WorkerHosts.Unavailable when it does not within a minute, with what Kubernetes says of it
     */
    void await(BooleanSupplier stops) {
        TimeLimit deadline = MachineClock.within(STARTING);
        while (true) {
            Pod pod = get();
            if (pod != null && PodProblems.ready(pod)) {
                return;
            }
            String why = pod == null ? "it was deleted" : PodProblems.hopeless(pod);
            if (why.isEmpty() && stops.getAsBoolean()) {
                why = "interrupted";
            }
            boolean late = deadline.passed();
            if (late && why.isEmpty() && pod != null) {
                why = PodProblems.waiting(pod);
            }
            if (late || !why.isEmpty()) {
                throw new WorkerHosts.Unavailable("pod '" + RunObjects.podName(run) + "' does not run: "
                        + (why.isEmpty() ? "nobody says why within " + STARTING.toSeconds() + " s" : why));
            }
            LockSupport.parkNanos(GLANCE);
        }
    }
}
