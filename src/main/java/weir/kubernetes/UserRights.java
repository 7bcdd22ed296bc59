package weir.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** The rights of the user in a namespace, as Kubernetes itself tells them (SelfSubjectAccessReview). */
record UserRights(KubernetesClient client, String namespace) {
    /** The calls that the user may not make, as in "create pods". */
    List<String> missing(List<UserCall> calls) {
        return calls.stream().filter(call -> !allowed(call)).map(UserCall::text).toList();
    }

    /** Asks by hand: the models of this kind come with 1.4 MiB of others. */
    private boolean allowed(UserCall call) {
        Map<String, String> attributes = Map.of(
                "namespace", namespace,
                "verb", call.verb(),
                "group", call.group(),
                "resource", call.resource(),
                "subresource", call.subresource());
        Map<String, Object> review = Map.of(
                "apiVersion", "authorization.k8s.io/v1",
                "kind", "SelfSubjectAccessReview",
                "spec", Map.of("resourceAttributes", attributes));
        String answer = client.raw("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "POST", review);
        Map<?, ?> read = client.getKubernetesSerialization().unmarshal(answer, Map.class);
        return read.get("status") instanceof Map<?, ?> status && Boolean.TRUE.equals(status.get("allowed"));
    }
}
