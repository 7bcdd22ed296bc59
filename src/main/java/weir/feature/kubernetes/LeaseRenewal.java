package weir.feature.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** A thread of a conductor that renews the run's lease every ten seconds until {@code close}. */
public final class LeaseRenewal implements AutoCloseable {
    static final Duration PERIOD = Duration.ofSeconds(10);

    private final ConductorApi api;
    private final Consumer<String> notes;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-lease"));

    /** Renews the lease now and every ten seconds; {@code notes} receives a line about a failure. */
    public static LeaseRenewal begin(RunIdentity run, Consumer<String> notes) {
        return new LeaseRenewal(
                new ConductorApi(
                        new KubernetesClientBuilder()
                                .withConfig(ClientKeys.configured())
                                .build(),
                        run),
                notes);
    }

    LeaseRenewal(ConductorApi api, Consumer<String> notes) {
        this.api = api;
        this.notes = notes;
        var unused = timer.scheduleAtFixedRate(this::renew, 0, PERIOD.toSeconds(), TimeUnit.SECONDS);
    }

    private void renew() {
        try {
            api.renewLease(MachineClock.WALL.instant().atZone(ZoneOffset.UTC));
        } catch (KubernetesClientException e) {
            // The next renewal may succeed, and a lost lease does not end a run.
            notes.accept("the lease of the run was not renewed: " + ApiServer.reason(e));
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        api.close();
    }
}
