package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import weir.time.MachineClock;

/** The Kubernetes of the tests, which KUBECONFIG, IMAGE and NAMESPACE name. */
public final class GivenKubernetes implements AutoCloseable {
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(ApiServer.configured()).build();

    public static String image() {
        return Objects.requireNonNull(System.getenv("IMAGE"), "IMAGE names the image of Weir; see make it-kubernetes");
    }

    public static String namespace() {
        return Objects.requireNonNull(
                System.getenv("NAMESPACE"), "NAMESPACE is where runs may be; see make it-kubernetes");
    }

    /** Kills a pod of the run whose name contains this text, as a lost node would. */
    public String kill(String text) {
        String name =
                pods().stream().filter(pod -> pod.contains(text)).findFirst().orElseThrow();
        client.pods().inNamespace(namespace()).withName(name).withGracePeriod(0).delete();
        return name;
    }

    public List<String> pods() {
        return all().map(pod -> pod.getMetadata().getName()).toList();
    }

    private Stream<Pod> all() {
        return client
                .pods()
                .inNamespace(namespace())
                .withLabel("app.kubernetes.io/name", "weir")
                .list()
                .getItems()
                .stream();
    }

    /** Waits until no object of any run exists. Returns the objects that exist after this time. */
    public List<String> left(long seconds) {
        return MachineClock.within(Duration.ofSeconds(seconds))
                        .awaits(() -> objects().isEmpty(), Duration.ofMillis(200))
                ? List.of()
                : objects();
    }

    private List<String> objects() {
        List<String> all = new ArrayList<>();
        Stream.of(
                        client.pods(),
                        client.configMaps(),
                        client.secrets(),
                        client.serviceAccounts(),
                        client.persistentVolumeClaims(),
                        client.apps().statefulSets(),
                        client.batch().v1().jobs(),
                        client.rbac().roles(),
                        client.rbac().roleBindings(),
                        client.leases())
                .forEach(kind -> kind.inNamespace(namespace())
                        .withLabel("app.kubernetes.io/name", "weir")
                        .list()
                        .getItems()
                        .forEach(item -> all.add(text((HasMetadata) item))));
        return all;
    }

    private static String text(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    /** Returns the limits of the first container of each pod whose name contains this text. */
    public List<String> limits(String text) {
        return all().filter(pod -> pod.getMetadata().getName().contains(text))
                .map(pod -> String.valueOf(
                        pod.getSpec().getContainers().get(0).getResources().getLimits()))
                .toList();
    }

    @Override
    public void close() {
        client.close();
    }
}
