package weir.kubernetes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A call to the API of Kubernetes that whoever starts a run makes, or lets its conductor make. */
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
            // A port is forwarded by a WebSocket, which begins with a GET; newer servers ask for create as well.
            new UserCall("get", "", "pods", "portforward"),
            new UserCall("create", "", "pods", "portforward"));

    private static UserCall create(String group, String resource) {
        return new UserCall("create", group, resource, "");
    }

    /** The calls of runs: those of the user, and of the conductor. */
    static List<UserCall> ofRuns() {
        return Stream.concat(OWN.stream(), Arrays.stream(ApiCall.values()).map(ApiCall::asUser))
                .distinct()
                .toList();
    }

    /** The calls by which runs are found that were killed. */
    static List<UserCall> ofFinding() {
        return List.of(
                new UserCall("list", "", "configmaps", ""), new UserCall("list", "coordination.k8s.io", "leases", ""));
    }

    /** As in "create jobs.batch". */
    String text() {
        return verb + " " + resource + (subresource.isEmpty() ? "" : "/" + subresource)
                + (group.isEmpty() ? "" : "." + group);
    }
}
