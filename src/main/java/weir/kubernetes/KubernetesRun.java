package weir.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weir.worker.agent.WorkerHosts;

/**
 * A run whose conductor is a pod, seen from outside: makes it, sends it what it needs, tells how it goes, brings home what it
 * found, and leaves nothing.
 */
public final class KubernetesRun implements AutoCloseable {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final Duration DELETING = Duration.ofSeconds(60);
    /** So long is a conductor asked again that does not answer. */
    private static final Duration SILENT = Duration.ofSeconds(60);

    private static final long GLANCE = 200_000_000;

    private final Config config;
    private final KubernetesClient client;
    private final RunObjects objects;
    private final Consumer<String> printed;
    private volatile boolean stops;

    /**
     * A file that the conductor needs.
     *
     * @param path where it is to be, below the conductor's home
     * @param unless where a file is that says that the image has it already
     */
    public record Sent(Path file, String path, String unless) {}

    /**
     * The end of a run.
     *
     * @param exit its exit code
     * @param folder that of the run, here
     */
    public record Outcome(int exit, Path folder) {}

    /**
     * As the user's own configuration says, which kubectl uses, too.
     *
     * @param printed hears what the run prints, as it comes
     */
    public static KubernetesRun open(RunObjects objects, Consumer<String> printed) {
        return new KubernetesRun(ClientKeys.configured(), objects, printed);
    }

    KubernetesRun(Config config, RunObjects objects, Consumer<String> printed) {
        this.config = config;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.objects = objects;
        this.printed = printed;
    }

    private RunIdentity run() {
        return objects.run();
    }

    /** From another thread: the run comes to its end and keeps what was measured. */
    public void interrupt() {
        stops = true;
    }

    /**
     * Conducts it, and returns when it is over and nothing of it is left in Kubernetes.
     *
     * @param runs the folder in which that of the run will be
     * @throws WorkerHosts.Unavailable when it cannot be started, in one line
     */
    public Outcome conduct(List<Sent> files, Path runs) {
        try {
            refuseWithoutRights();
            String owner =
                    client.resource(objects.owner()).create().getMetadata().getUid();
            try {
                return conduct(files, runs, owner);
            } finally {
                delete();
            }
        } catch (KubernetesClientException e) {
            throw new WorkerHosts.Unavailable("Kubernetes: " + reason(e));
        }
    }

    private static String reason(KubernetesClientException e) {
        Throwable cause = e.getCause();
        return e.getStatus() == null && cause != null ? e.getMessage() + ": " + cause : PodHosts.reason(e);
    }

    /** Whoever makes a Role has to have all that it allows. */
    private void refuseWithoutRights() {
        List<String> missing = new ArrayList<>();
        for (UserCall call : UserCall.all()) {
            if (!allowed(call)) {
                missing.add(call.text());
            }
        }
        if (!missing.isEmpty()) {
            throw new WorkerHosts.Unavailable("you may not " + String.join(", ", missing) + " in namespace '"
                    + run().namespace() + "'; somebody who may has to give you a Role with these calls,"
                    + " such as that in docs/kubernetes.md");
        }
    }

    /** Asks by hand: the models of this kind come with 1.4 MiB of others. */
    private boolean allowed(UserCall call) {
        Map<String, String> attributes = Map.of(
                "namespace", run().namespace(),
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

    private Outcome conduct(List<Sent> files, Path runs, String owner) {
        RunObjects owned =
                new RunObjects(run().ownedBy(owner), objects.experiment(), objects.text(), objects.arguments());
        for (HasMetadata object : owned.owned(true)) {
            client.resource(object).create();
        }
        await();
        Conductor conductor = new Conductor();
        try {
            conductor.ask(asked -> asked.progress(0));
            Set<String> there = new HashSet<>();
            for (String unless : files.stream().map(Sent::unless).distinct().toList()) {
                if (conductor.ask(asked -> asked.has(unless))) {
                    there.add(unless);
                }
            }
            for (Sent sent : files.stream()
                    .filter(file -> !there.contains(file.unless()))
                    .toList()) {
                send(conductor, sent);
            }
            conductor.tell(ConductorClient::start);
            int exit = follow(conductor);
            Path folder = fetch(conductor, runs);
            conductor.tell(ConductorClient::done);
            return new Outcome(exit, folder);
        } finally {
            conductor.close();
        }
    }

    private static void send(Conductor conductor, Sent sent) {
        long size = sent.file().toFile().length();
        long at = 0;
        while (at < size) {
            long from = at;
            at = conductor.ask(asked -> asked.put(sent.file(), from, sent.path()));
        }
        conductor.tell(asked -> asked.whole(sent.file(), sent.path()));
    }

    private Pod pod() {
        return client.pods()
                .inNamespace(run().namespace())
                .withName(objects.podName())
                .get();
    }

    private void await() {
        long deadline = System.nanoTime() + STARTING.toNanos();
        while (true) {
            Pod pod = pod();
            if (pod != null && PodProblems.ready(pod)) {
                return;
            }
            String why = pod == null ? "it was deleted" : PodProblems.hopeless(pod);
            boolean late = System.nanoTime() > deadline;
            if (late && why.isEmpty()) {
                why = PodProblems.waiting(pod);
            }
            if (late || !why.isEmpty()) {
                throw new WorkerHosts.Unavailable("pod '" + objects.podName() + "' does not run: "
                        + (why.isEmpty() ? "nobody says why within " + STARTING.toSeconds() + " s" : why));
            }
            LockSupport.parkNanos(GLANCE);
        }
    }

    private int follow(Conductor conductor) {
        long from = 0;
        boolean told = false;
        while (true) {
            if (stops && !told) {
                told = true;
                conductor.tell(ConductorClient::stop);
            }
            long since = from;
            ConductorClient.Progress progress = conductor.ask(asked -> asked.progress(since));
            if (!progress.text().isEmpty()) {
                printed.accept(progress.text());
            }
            from = progress.until();
            if (progress.exit().isPresent()) {
                return progress.exit().getAsInt();
            }
        }
    }

    private static Path fetch(Conductor conductor, Path runs) {
        List<ConductorClient.Listed> all = conductor.ask(ConductorClient::folder);
        Path folder = Path.of("");
        for (ConductorClient.Listed listed : all) {
            Path below = Path.of("runs").relativize(Path.of(listed.path())).normalize();
            if (below.startsWith("..") || below.isAbsolute()) {
                throw new WorkerHosts.Unavailable(
                        "the conductor listed '" + listed.path() + "', which is no file of a run");
            }
            if (below.getNameCount() > 1) {
                folder = runs.resolve(below.getName(0));
            }
            conductor.tell(asked -> asked.fetch(listed, runs.resolve(below)));
        }
        return folder;
    }

    /** Deletes all of it, and waits until it is gone. */
    private void delete() {
        var owner =
                client.resources(ConfigMap.class).inNamespace(run().namespace()).withName(run().name());
        owner.withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();
        owner.waitUntilCondition(gone -> gone == null, DELETING.toSeconds(), TimeUnit.SECONDS);
        // An owner does not wait for pods that come to their end.
        long deadline = System.nanoTime() + DELETING.toNanos();
        while (!client.pods()
                        .inNamespace(run().namespace())
                        .withLabel(Component.INSTANCE, run().name())
                        .list()
                        .getItems()
                        .isEmpty()
                && System.nanoTime() < deadline) {
            LockSupport.parkNanos(GLANCE);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private interface Asking<T> {
        T of(ConductorClient conductor) throws IOException;
    }

    private interface Telling {
        void to(ConductorClient conductor) throws IOException;
    }

    /** The conductor through a port that is forwarded again whenever it breaks. */
    private final class Conductor implements AutoCloseable {
        /** A client whose forward broke hands out others that never answer: each forward has one of its own. */
        private KubernetesClient own = client();

        private LocalPortForward forward = forward();
        private ConductorClient asked = new ConductorClient(forward.getLocalPort());

        private KubernetesClient client() {
            return new KubernetesClientBuilder().withConfig(config).build();
        }

        private LocalPortForward forward() {
            return own.pods()
                    .inNamespace(run().namespace())
                    .withName(objects.podName())
                    .portForward(ConductorServer.PORT);
        }

        <T> T ask(Asking<T> asking) {
            long deadline = System.nanoTime() + SILENT.toNanos();
            while (true) {
                try {
                    return asking.of(asked);
                } catch (IOException e) {
                    Pod pod = pod();
                    String ended = pod == null ? "it was deleted" : PodProblems.hopeless(pod);
                    if (!ended.isEmpty() || System.nanoTime() > deadline) {
                        throw new WorkerHosts.Unavailable("the conductor, pod '" + objects.podName()
                                + "', does not answer: " + (ended.isEmpty() ? e.getMessage() : ended));
                    }
                    again();
                }
            }
        }

        void tell(Telling telling) {
            boolean unused = ask(conductor -> {
                telling.to(conductor);
                return true;
            });
        }

        private void again() {
            close();
            LockSupport.parkNanos(GLANCE);
            own = client();
            forward = forward();
            asked = new ConductorClient(forward.getLocalPort());
        }

        @Override
        public void close() {
            try {
                forward.close();
            } catch (IOException gone) {
                // It was broken, or it is not needed any more.
                return;
            } finally {
                own.close();
            }
        }
    }
}
