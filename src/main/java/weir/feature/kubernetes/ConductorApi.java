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
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.List;
import weir.feature.kubernetes.PodSets.PodSet;

/** The Kubernetes API client of a run's conductor. It makes only calls that the conductor's Role allows. */
final class ConductorApi implements AutoCloseable {
    private final KubernetesClient client;
    private final RunIdentity run;

    ConductorApi(KubernetesClient client, RunIdentity run) {
        this.client = client;
        this.run = run;
    }

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
}
