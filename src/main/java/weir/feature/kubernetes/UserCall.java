package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A Kubernetes API call that the user or the conductor of a run makes. */
record UserCall(String verb, String group, String resource, String subresource) {
    private static final List<UserCall> OWN = List.of(
            create("", "configmaps"),
            new UserCall("delete", "", "configmaps", ""),
            create("", "secrets"),
            create("", "serviceaccounts"),
            create("coordination.k8s.io", "leases"),
            create("rbac.authorization.k8s.io", "roles"),
            create("rbac.authorization.k8s.io", "rolebindings"),
            create("", "pods"),
            new UserCall("get", "", "pods", ""),
            // Port forwarding is a WebSocket, which begins with a GET. Newer servers require create as well.
            new UserCall("get", "", "pods", "portforward"),
            new UserCall("create", "", "pods", "portforward"));

    private static UserCall create(String group, String resource) {
        return new UserCall("create", group, resource, "");
    }

    static List<UserCall> ofRuns() {
        return Stream.concat(OWN.stream(), ofConductors()).distinct().toList();
    }

    static Stream<UserCall> ofConductors() {
        return ObjectTemplates.filled(Role.class, Map.of("metadata", Map.of(), "run", "", "token", ""))
                .getRules()
                .stream()
                .flatMap(rule -> rule.getVerbs().stream()
                        .map(verb -> new UserCall(
                                verb,
                                rule.getApiGroups().get(0),
                                rule.getResources().get(0),
                                "")));
    }

    static List<UserCall> ofFinding() {
        return List.of(
                new UserCall("list", "", "configmaps", ""), new UserCall("list", "coordination.k8s.io", "leases", ""));
    }

    static List<String> missing(List<UserCall> calls, KubernetesClient client, String namespace) {
        return calls.stream()
                .filter(call -> !call.allowed(client, namespace))
                .map(UserCall::text)
                .toList();
    }

    String text() {
        return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource)
                + (group.isEmpty() ? "" : "." + group);
    }

    /** Sends the request without the model classes of SelfSubjectAccessReview, which would add 1.4 MiB. */
    private boolean allowed(KubernetesClient client, String namespace) {
        Map<String, String> attributes = Map.of(
                "namespace", namespace,
                "verb", verb,
                "group", group,
                "resource", resource,
                "subresource", subresource);
        Map<String, Object> review = Map.of(
                "apiVersion", "authorization.k8s.io/v1",
                "kind", "SelfSubjectAccessReview",
                "spec", Map.of("resourceAttributes", attributes));
        String answer = client.raw("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "POST", review);
        Map<?, ?> read = client.getKubernetesSerialization().unmarshal(answer, Map.class);
        return read.get("status") instanceof Map<?, ?> status && Boolean.TRUE.equals(status.get("allowed"));
    }
}
