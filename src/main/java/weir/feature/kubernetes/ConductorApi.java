package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import weir.feature.kubernetes.ApiServer.ClientKeys;
import weir.feature.kubernetes.PodSets.Component;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** The Kubernetes API client of a run's conductor. It makes only calls that the conductor's Role allows. */
record ConductorApi(KubernetesClient client, RunIdentity run) implements AutoCloseable {
    RunIdentity owned() {
        ConfigMap owner = client.configMaps()
                .inNamespace(run.namespace())
                .withName(run.name())
                .get();
        if (owner == null) {
            throw new KubernetesClientException("no run '" + run.name() + "' in namespace '" + run.namespace() + "'");
        }
        return run.ownedBy(owner.getMetadata().getUid());
    }

    void fillToken(String token) {
        String encoded = Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8));
        apply(new SecretBuilder()
                .withNewMetadata()
                .withName(RunObjects.tokenName(run))
                .endMetadata()
                .addToData(RunObjects.TOKEN_KEY, encoded)
                .build());
    }

    void renewLease(ZonedDateTime now) {
        apply(new LeaseBuilder()
                .withNewMetadata()
                .withName(run.name())
                .endMetadata()
                .withNewSpec()
                .withRenewTime(now)
                .endSpec()
                .build());
    }

    // Other kinds of patch read the object first, but a conductor may not read Secrets.
    private void apply(HasMetadata fields) {
        client.resource(fields).inNamespace(run.namespace()).serverSideApply();
    }

    void make(HasMetadata hosts) {
        client.resource(hosts).inNamespace(run.namespace()).create();
    }

    void delete(PodSet set) {
        Class<? extends HasMetadata> kind = set.stateful() ? StatefulSet.class : Job.class;
        client.resources(kind)
                .inNamespace(run.namespace())
                .withName(set.name(run))
                .delete();
    }

    List<Pod> pods() {
        return client.pods()
                .inNamespace(run.namespace())
                .withLabel(Component.INSTANCE, run.name())
                .list()
                .getItems();
    }

    List<Event> events(String pod) {
        return client.v1()
                .events()
                .inNamespace(run.namespace())
                .withField("involvedObject.name", pod)
                .list()
                .getItems();
    }

    @Override
    public void close() {
        client.close();
    }

    /** A thread of a conductor that renews the run's lease every ten seconds until {@code close}. */
    public static final class LeaseRenewal implements AutoCloseable {
        static final Duration PERIOD = Duration.ofSeconds(10);

        private final ConductorApi api;
        private final Consumer<String> notes;
        private final ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-lease"));

        /** Renews the lease now and every ten seconds; {@code notes} receives a line about a failure. */
        public static LeaseRenewal begin(RunIdentity run, Consumer<String> notes) {
            return new LeaseRenewal(new ConductorApi(ClientKeys.client(), run), notes);
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
}
