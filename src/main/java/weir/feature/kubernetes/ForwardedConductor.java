package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import weir.host.HostUnavailable;
import weir.time.MachineClock;

/** The connection to a conductor in a pod, through a port that is forwarded again after each break. */
final class ForwardedConductor implements AutoCloseable {
    /** The limit for the start of a conductor, and for each answer. */
    private static final Duration SILENT = Duration.ofSeconds(60);

    /** Time without an answer after which the user gets a message. */
    private static final Duration TOLD = Duration.ofSeconds(5);

    private static final long GLANCE = 200_000_000;

    private final Config config;
    private final RunIdentity run;
    private final KubernetesClient asks;
    private final Consumer<String> notes;

    /** The client of the current forward. A client with a broken forward would open more forwards that never answer. */
    private KubernetesClient own;

    private LocalPortForward forward;
    private ConductorClient client;

    interface ConductorRequest<T> {
        T of(ConductorClient conductor) throws IOException;
    }

    /**
     * Waits until the conductor listens, and forwards its port.
     *
     * @param stops returns true once the wait is cancelled
     * @param notes receives a line when the conductor stops answering, and when it answers again
     * @throws HostUnavailable with the reason from Kubernetes if the conductor does not listen within a minute
     */
    ForwardedConductor(
            KubernetesClient asks, Config config, RunIdentity run, BooleanSupplier stops, Consumer<String> notes) {
        this.notes = notes;
        this.config = config;
        this.run = run;
        this.asks = asks;
        await(stops);
        this.own = another();
        this.forward = forward();
        this.client = new ConductorClient(forward.getLocalPort());
    }

    private @Nullable Pod pod() {
        return asks.pods()
                .inNamespace(run.namespace())
                .withName(RunObjects.podName(run))
                .get();
    }

    private void await(BooleanSupplier stops) {
        String name = RunObjects.podName(run);
        PodProblems.await(
                () -> {
                    Pod pod = pod();
                    if (pod == null) {
                        throw PodProblems.unavailable(name, "it was deleted");
                    }
                    return Map.of(name, pod);
                },
                List.of(name),
                PodProblems::ready,
                (conductor, pods) -> PodProblems.waiting(Objects.requireNonNull(pods.get(conductor))),
                SILENT,
                stops);
    }

    private KubernetesClient another() {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private LocalPortForward forward() {
        return own.pods()
                .inNamespace(run.namespace())
                .withName(RunObjects.podName(run))
                .portForward(ConductorServer.PORT);
    }

    <T> T ask(ConductorRequest<T> asking) {
        long asked = MachineClock.STEADY.getAsLong();
        boolean told = false;
        while (true) {
            try {
                T answer = asking.of(client);
                if (told) {
                    notes.accept("the conductor answers again");
                }
                return answer;
            } catch (ConductorClient.Refused e) {
                throw new HostUnavailable(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                long waited = MachineClock.STEADY.getAsLong() - asked;
                String ended = ended();
                if (!ended.isEmpty() || waited > SILENT.toNanos()) {
                    throw new HostUnavailable("the conductor, pod '" + RunObjects.podName(run) + "', did not answer: "
                            + (ended.isEmpty() ? e.getMessage() : ended));
                }
                if (!told && waited > TOLD.toNanos()) {
                    told = true;
                    notes.accept("the conductor has not answered for " + TOLD.toSeconds() + " s; Weir retries for "
                            + SILENT.toSeconds() + " s");
                }
                again();
            }
        }
    }

    /** Returns the reason why the pod will never answer; empty if it may, or if the API server does not answer. */
    private String ended() {
        try {
            Pod seen = pod();
            return seen == null ? "it was deleted" : PodProblems.hopeless(seen);
        } catch (KubernetesClientException unknown) {
            return "";
        }
    }

    void send(ConductorServer.Op op) {
        var unused = ask(conductor -> conductor.send(op));
    }

    private void again() {
        close();
        LockSupport.parkNanos(GLANCE);
        own = another();
        forward = forward();
        client = new ConductorClient(forward.getLocalPort());
    }

    @Override
    public void close() {
        try {
            forward.close();
        } catch (IOException gone) {
            // The forward was broken, or is no longer needed.
            return;
        } finally {
            own.close();
        }
    }
}
