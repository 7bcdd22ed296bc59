package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.kubernetes.ConductorApi.LeaseRenewal;
import weir.host.HostUnavailable;
import weir.host.Journal;
import weir.probe.Finding;

/** The check of a Kubernetes namespace, which creates the pods of a run briefly and finds leftovers of killed runs. */
public final class KubernetesCheck implements AutoCloseable {
    public static final String KINDS = "configmap,lease,secret,serviceaccount,role,rolebinding,pod,statefulset,job,pvc";

    static final Duration TIMEOUT = LeaseRenewal.PERIOD.plus(Duration.ofSeconds(2));

    private static final Duration ANSWERING = Duration.ofSeconds(10);
    /** The limit of retries of a request, small to report a missing server soon. */
    private static final int RETRIES = 2;

    private final KubernetesClient client;
    private final RunObjects objects;
    private final String build;
    private final Duration timeout;
    private volatile boolean stops;

    /** @param timeout the time without a lease renewal after which a conductor is dead, such as {@link #TIMEOUT} */
    KubernetesCheck(Config config, RunObjects objects, String build, Duration timeout) {
        config.setRequestRetryBackoffLimit(RETRIES);
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.objects = objects;
        this.build = build;
        this.timeout = timeout;
    }

    private String namespace() {
        return objects.run().namespace();
    }

    /** Ends all waiting and deletes the objects of the check. Callable from another thread. */
    public void interrupt() {
        stops = true;
    }

    /**
     * Checks the user's rights. Creates all pods of the run and deletes them again.
     *
     * @throws HostUnavailable with one line if the API server does not answer
     */
    public List<Finding> findings() {
        return asked(() -> {
            ApiServer server = ApiServer.ask(client, ANSWERING);
            List<Finding> findings = new ArrayList<>();
            findings.add(new Finding(
                    "API server",
                    server.version().isEmpty() ? "answers" : server.version(),
                    Finding.Verdict.FINE,
                    server.address() + " answered in " + server.took().toMillis() + " ms",
                    ""));
            Finding rights = rights();
            findings.add(rights);
            List<String> blind = blind();
            if (!blind.isEmpty()) {
                findings.add(new Finding(
                        "leftovers",
                        "",
                        Finding.Verdict.UNKNOWN,
                        UserCall.refusal(blind, namespace()),
                        UserCall.ADVICE));
            }
            if (rights.verdict() != Finding.Verdict.BAD) {
                findings.addAll(new PodCheck(client, objects, build, () -> stops).findings());
            }
            return findings;
        });
    }

    private Finding rights() {
        List<UserCall> all = UserCall.ofRuns();
        List<String> missing = UserCall.missing(all, client, namespace());
        String figure = (all.size() - missing.size()) + " of " + all.size();
        boolean may = missing.isEmpty();
        return new Finding(
                "rights",
                figure,
                may ? Finding.Verdict.FINE : Finding.Verdict.BAD,
                may
                        ? "you have all rights for a run in namespace '" + namespace() + "'"
                        : UserCall.refusal(missing, namespace()),
                may ? "" : UserCall.ADVICE);
    }

    private List<String> blind() {
        return UserCall.missing(UserCall.ofFinding(), client, namespace());
    }

    /**
     * Returns the runs with objects in the namespace. Empty if the user may not list them. Throws {@link
     * HostUnavailable} with one line if Kubernetes fails.
     */
    public List<RemainingRun> remains() {
        return asked(() -> {
            Instant now = ApiServer.ask(client, ANSWERING).clock();
            return blind().isEmpty() ? RemainingRun.find(client, namespace(), now) : List.of();
        });
    }

    /**
     * Deletes the objects of runs with a dead conductor, and waits until the objects are gone.
     *
     * @throws HostUnavailable with one line if the API server does not answer
     */
    public Journal.Cleared clean() {
        return asked(() -> {
            List<String> done = new ArrayList<>();
            List<String> failed = new ArrayList<>();
            List<String> blind = blind();
            if (!blind.isEmpty()) {
                failed.add(UserCall.refusal(blind, namespace())
                        + ", so Weir cannot see which runs are active; Weir deleted nothing");
                return new Journal.Cleared(done, failed);
            }
            List<RemainingRun> silent = silent();
            if (!silent.isEmpty()) {
                // A living run could not renew its lease without the API server.
                pause();
                List<String> still = silent().stream().map(RemainingRun::name).toList();
                silent = silent.stream()
                        .filter(run -> still.contains(run.name()))
                        .toList();
            }
            for (RemainingRun run : silent) {
                if (stops) {
                    failed.add("interrupted: '" + run.name() + "' was not deleted");
                } else if (RunObjects.delete(client, new RunIdentity(run.name(), namespace(), ""))) {
                    done.add("deleted the remains of '" + run.name() + "' in namespace '" + namespace() + "'");
                } else {
                    failed.add("run '" + run.name()
                            + "' was deleted a minute ago, but some of its objects are still in namespace '"
                            + namespace() + "'");
                }
            }
            return new Journal.Cleared(done, failed);
        });
    }

    /** Dead runs, without those that a user applied, whose objects have no owner. */
    private List<RemainingRun> silent() {
        Instant now = ApiServer.ask(client, ANSWERING).clock();
        return RemainingRun.find(client, namespace(), now).stream()
                .filter(run -> !run.lives() && !run.byHand())
                .toList();
    }

    private void pause() {
        try {
            Thread.sleep(timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stops = true;
        }
    }

    private static <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (KubernetesClientException e) {
            throw new HostUnavailable("Kubernetes: " + ApiServer.reason(e));
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /**
     * A run in a namespace. All times are by the clock of the API server, because clocks of nodes may be wrong.
     *
     * @param alive last renewal of the lease by the conductor; without one the time at which the run was made
     * @param byHand true if a user applied the output of {@code weir deploy kubernetes}; its objects have no owner
     */
    record RemainingRun(String name, Instant made, Instant alive, boolean byHand, Instant now) {
        /** Maximum time before the first renewal of the lease: pulling the image and starting the JVM. */
        private static final Duration STARTING = Duration.ofSeconds(90);

        static List<RemainingRun> find(KubernetesClient client, String namespace, Instant now) {
            Map<String, Lease> leases = made(client, namespace, Lease.class)
                    .collect(Collectors.toMap(lease -> lease.getMetadata().getName(), Function.identity()));
            return made(client, namespace, ConfigMap.class)
                    .map(owner -> of(owner, leases.get(owner.getMetadata().getName()), now))
                    .toList();
        }

        private static <T extends HasMetadata> Stream<T> made(
                KubernetesClient client, String namespace, Class<T> kind) {
            return client
                    .resources(kind)
                    .inNamespace(namespace)
                    .withLabel(RunIdentity.MANAGED_BY, RunIdentity.PROGRAM)
                    .list()
                    .getItems()
                    .stream();
        }

        private static RemainingRun of(ConfigMap owner, @Nullable Lease lease, Instant now) {
            Instant made = created(owner);
            Instant alive = lease == null ? made : changed(lease);
            boolean byHand =
                    lease != null && lease.getMetadata().getOwnerReferences().isEmpty();
            return new RemainingRun(owner.getMetadata().getName(), made, alive, byHand, now);
        }

        private static Instant created(HasMetadata object) {
            return Instant.parse(object.getMetadata().getCreationTimestamp());
        }

        private static Instant changed(Lease lease) {
            return lease.getMetadata().getManagedFields().stream()
                    .map(ManagedFieldsEntry::getTime)
                    .filter(Objects::nonNull)
                    .map(Instant::parse)
                    .max(Comparator.naturalOrder())
                    .orElseGet(() -> created(lease));
        }

        boolean lives() {
            return now.isBefore(alive.plus(RunObjects.LEASE)) || now.isBefore(made.plus(STARTING));
        }

        String sign() {
            return "made " + age(made, now) + " ago, "
                    + (lives()
                            ? "a sign of life " + age(alive, now) + " ago"
                            : "no sign of life for " + age(alive, now));
        }

        static String age(Instant then, Instant now) {
            long seconds = Math.max(0, Duration.between(then, now).toSeconds());
            if (seconds < 120) {
                return seconds + " s";
            }
            return seconds < 7_200 ? seconds / 60 + " min" : seconds / 3_600 + " h";
        }
    }

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
            return RunObjects.filled(Role.class, Map.of("metadata", Map.of(), "run", "", "token", ""))
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
                    new UserCall("list", "", "configmaps", ""),
                    new UserCall("list", "coordination.k8s.io", "leases", ""));
        }

        static List<String> missing(List<UserCall> calls, KubernetesClient client, String namespace) {
            return calls.stream()
                    .filter(call -> !call.allowed(client, namespace))
                    .map(UserCall::text)
                    .toList();
        }

        static final String ADVICE =
                "ask for a Role that allows these calls, such as the one in docs/how-to/kubernetes.md";

        static String refusal(List<String> missing, String namespace) {
            return "you may not " + String.join(", ", missing) + " in namespace '" + namespace + "'";
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
}
