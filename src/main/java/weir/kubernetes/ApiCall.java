package weir.kubernetes;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A call of the conductor to the API of Kubernetes. Its Role allows these and nothing else. */
enum ApiCall {
    READ_OWNER("", "configmaps", "get", true),
    FILL_TOKEN("", "secrets", "patch", true),
    RENEW_LEASE("coordination.k8s.io", "leases", "patch", true),
    MAKE_JOB("batch", "jobs", "create", false),
    DELETE_JOB("batch", "jobs", "delete", false),
    MAKE_STATEFUL_SET("apps", "statefulsets", "create", false),
    DELETE_STATEFUL_SET("apps", "statefulsets", "delete", false),
    LOOK_AT_PODS("", "pods", "list", false),
    LOOK_AT_EVENTS("", "events", "list", false);

    private final String group;
    private final String resource;
    private final String verb;
    private final boolean named;

    /** @param named only of the objects that have a name known before the run */
    ApiCall(String group, String resource, String verb, boolean named) {
        this.group = group;
        this.resource = resource;
        this.verb = verb;
        this.named = named;
    }

    /** As in "create jobs.batch", which is how kubectl auth can-i takes it. */
    String text() {
        return asUser().text();
    }

    UserCall asUser() {
        return new UserCall(verb, group, resource, "");
    }

    /** A rule for each kind of object, with the verbs of all calls. */
    static List<PolicyRule> rules(RunIdentity run) {
        Map<String, List<ApiCall>> kinds = new LinkedHashMap<>();
        Arrays.stream(values())
                .forEach(call -> kinds.computeIfAbsent(call.group + "/" + call.resource, kind -> new ArrayList<>())
                        .add(call));
        return kinds.values().stream().map(calls -> rule(run, calls)).toList();
    }

    private static PolicyRule rule(RunIdentity run, List<ApiCall> calls) {
        ApiCall first = calls.get(0);
        PolicyRuleBuilder rule = new PolicyRuleBuilder()
                .withApiGroups(first.group)
                .withResources(first.resource)
                .withVerbs(calls.stream().map(call -> call.verb).toList());
        if (first.named) {
            rule.withResourceNames(first == FILL_TOKEN ? RunObjects.tokenName(run) : run.name());
        }
        return rule.build();
    }
}
