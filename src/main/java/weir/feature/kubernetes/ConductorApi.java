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
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import weir.feature.kubernetes.PodSets.Component;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.host.HostUnavailable;
import weir.time.DaemonThreads;
import weir.time.MachineClock;

/** The Kubernetes API client of a run's conductor. It makes only calls that the conductor's Role allows. */
record ConductorApi(KubernetesClient client, RunIdentity run) implements AutoCloseable {
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    ConductorApi {
        client = RunObjects.inNamespace(client, run);
    }

    RunIdentity owned() {
        ConfigMap owner = client.configMaps().withName(run.name()).get();
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
        client.resource(fields).serverSideApply();
    }

    void make(HasMetadata hosts) {
        client.resource(hosts).create();
    }

    void delete(PodSet set) {
        Class<? extends HasMetadata> kind = set.stateful() ? StatefulSet.class : Job.class;
        client.resources(kind).withName(set.name(run)).delete();
    }

    List<Pod> pods() {
        return client.pods().withLabel(Component.INSTANCE, run.name()).list().getItems();
    }

    List<Event> events(String pod) {
        return client.v1().events().withField("involvedObject.name", pod).list().getItems();
    }

    /** The pods of the run by the names of their hosts. */
    Map<String, Pod> byHost() {
        Map<String, Pod> pods = new TreeMap<>();
        for (Pod pod : pods()) {
            pods.put(host(pod), pod);
        }
        return pods;
    }

    private static String host(Pod pod) {
        Map<String, String> notes = pod.getMetadata().getAnnotations();
        String index = notes == null ? null : notes.get(INDEX);
        String set = pod.getMetadata().getLabels().getOrDefault(HostObjects.SET, "");
        return index == null ? pod.getMetadata().getName() : set + "-" + index;
    }

    /**
     * @param limit for scheduling a pod, pulling its image and starting it
     * @param stops returns true once the wait is cancelled
     * @throws HostUnavailable with the reason from Kubernetes if a pod does not run
     */
    void await(List<String> names, Duration limit, BooleanSupplier stops) {
        PodProblems.await(this::byHost, names, PodProblems::runs, this::why, limit, stops);
    }

    private String why(String name, Map<String, Pod> pods) {
        Pod pod = pods.get(name);
        if (pod != null) {
            String waits = PodProblems.waiting(pod);
            String warned = PodProblems.warning(events(pod.getMetadata().getName()));
            return waits.isEmpty()
                    ? warned
                    : warned.isEmpty() || warned.contains(waits) ? waits : waits + "; " + warned;
        }
        return PodProblems.warning(events(name.substring(0, name.lastIndexOf('-'))));
    }

    String lossReason(String name) {
        try {
            Pod pod = byHost().get(name);
            if (pod == null) {
                return "its pod no longer exists";
            }
            return pod.getMetadata().getDeletionTimestamp() != null ? "its pod was deleted" : PodProblems.hopeless(pod);
        } catch (KubernetesClientException e) {
            return "the reason is unknown: " + ApiServer.reason(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /** A thread of a conductor that renews the run's lease every ten seconds until {@code close}. */
    static final class LeaseRenewal implements AutoCloseable {
        static final Duration PERIOD = Duration.ofSeconds(10);

        private final ConductorApi api;
        private final Consumer<String> notes;
        private final ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("weir-lease"));

        /** Renews the lease now and every ten seconds; {@code notes} receives a line about a failure. */
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
