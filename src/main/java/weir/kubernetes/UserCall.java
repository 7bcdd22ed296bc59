package weir.kubernetes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A call to the API of Kubernetes that whoever starts a run makes, or lets its conductor make. */
record UserCall(String verb, String group, String resource, String subresource) {
    private static final List<UserCall> OWN = List.of(
            create("", "configmaps"),
            new UserCall("delete", "", "configmaps", ""),
            new UserCall("list", "", "configmaps", ""),
            new UserCall("watch", "", "configmaps", ""),
            create("", "secrets"),
            create("", "serviceaccounts"),
            create("coordination.k8s.io", "leases"),
            create("rbac.authorization.k8s.io", "roles"),
            create("rbac.authorization.k8s.io", "rolebindings"),
            create("", "pods"),
            new UserCall("get", "", "pods", ""),
            // A port is forwarded by a WebSocket, which begins with a GET; newer servers ask for create as well.
            new UserCall("get", "", "pods", "portforward"),
            new UserCall("create", "", "pods", "portforward"));

    private static UserCall create(String group, String resource) {
        return new UserCall("create", group, resource, "");
    }

    /** All calls: of the user, and of the conductor. */
    static List<UserCall> all() {
        return Stream.concat(OWN.stream(), Arrays.stream(ApiCall.values()).map(ApiCall::asUser))
                .distinct()
                .toList();
    }

    /** As in "create jobs.batch". */
    String text() {
        return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource)
                + (group.isEmpty() ? "" : "." + group);
    }
}
