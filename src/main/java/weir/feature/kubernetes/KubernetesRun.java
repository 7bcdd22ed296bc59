package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import weir.feature.hosts.ProgramFiles;
import weir.feature.kubernetes.ApiServer.ClientKeys;
import weir.feature.kubernetes.ConductorServer.ListedFile;
import weir.feature.kubernetes.ConductorServer.Op;
import weir.feature.kubernetes.KubernetesCheck.UserCall;
import weir.feature.kubernetes.RunObjects.OwnedObjects;
import weir.host.HostUnavailable;

/**
 * A run whose conductor is in a pod, controlled from outside of the cluster. This class creates the pod, sends files,
 * shows the progress, fetches the results and deletes all objects.
 */
public final class KubernetesRun implements AutoCloseable {
    private static final Duration ANSWERING = Duration.ofSeconds(10);
    private final Config config;
    private final KubernetesClient client;
    private final RunObjects objects;
    private final String build;
    private final Consumer<String> printed;
    private volatile boolean stops;

    /** A file for the conductor, below its home; not sent if the file {@code unless} exists in the image. */
    public record Sent(Path file, String path, String unless) {}

    public record Outcome(int exit, Path folder) {}

    /** Opens the run. The image must contain this {@code build}; {@code printed} receives the run's output. */
    public static KubernetesRun open(RunObjects objects, String build, Consumer<String> printed) {
        return new KubernetesRun(ClientKeys.configured(), objects, build, printed);
    }

    KubernetesRun(Config config, RunObjects objects, String build, Consumer<String> printed) {
        this.config = config;
        this.client = new KubernetesClientBuilder().withConfig(config).build();
        this.objects = objects;
        this.build = build;
        this.printed = printed;
    }

    private RunIdentity run() {
        return objects.run();
    }

    /** Ends the run early. Weir still fetches its measurements. Callable from another thread. */
    public void interrupt() {
        stops = true;
    }

    /**
     * Runs to the end; returns after all objects are deleted.
     *
     * @throws HostUnavailable with one line if the run cannot be started
     */
    public Outcome conduct(List<Sent> files, Path runs) {
        try {
            ApiServer.ask(client, ANSWERING);
            refuseWithoutRights();
            String owner =
                    client.resource(objects.owner()).create().getMetadata().getUid();
            try {
                return conduct(files, runs, owner);
            } finally {
                delete();
            }
        } catch (KubernetesClientException e) {
            throw new HostUnavailable("Kubernetes: " + ApiServer.reason(e));
        }
    }

    /** Requires every right of the Role: Kubernetes lets only users with these rights create the Role. */
    private void refuseWithoutRights() {
        List<String> missing = UserCall.missing(UserCall.ofRuns(), client, run().namespace());
        if (!missing.isEmpty()) {
            throw new HostUnavailable(UserCall.refusal(missing, run().namespace()) + "; " + UserCall.ADVICE);
        }
    }

    private Outcome conduct(List<Sent> files, Path runs, String owner) {
        RunObjects owned = objects.ownedBy(owner);
        for (HasMetadata object : owned.owned(true)) {
            client.resource(object).create();
        }
        try (ForwardedConductor conductor = new ForwardedConductor(client, config, run(), () -> stops, this::note)) {
            refuseAnotherBuild(conductor.ask(ConductorClient::about).build());
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
            conductor.send(Op.START);
            int exit = follow(conductor);
            Path folder = fetch(conductor, runs);
            conductor.send(Op.DONE);
            return new Outcome(exit, folder);
        }
    }

    private void refuseAnotherBuild(String theirs) {
        if (!ProgramFiles.sameBuild(build, theirs)) {
            throw new HostUnavailable("the image '"
                    + RunObjects.placed(objects.experiment()).image() + "' contains weir " + theirs + " instead of "
                    + build
                    + "; use the same version, in a new image or on this machine");
        }
    }

    private static void send(ForwardedConductor conductor, Sent sent) {
        long size = sent.file().toFile().length();
        long at = 0;
        do {
            long from = at;
            at = conductor.ask(asked -> asked.put(sent.file(), from, sent.path()));
        } while (at < size);
    }

    private int follow(ForwardedConductor conductor) {
        long from = 0;
        boolean told = false;
        while (true) {
            if (stops && !told) {
                told = true;
                conductor.send(Op.STOP);
            }
            long since = from;
            ConductorServer.Progress progress = conductor.ask(asked -> asked.progress(since));
            if (!progress.text().isEmpty()) {
                printed.accept(progress.text());
            }
            from = progress.until();
            if (progress.exit() >= 0) {
                return progress.exit();
            }
        }
    }

    private static Path fetch(ForwardedConductor conductor, Path runs) {
        List<ListedFile> all = conductor.ask(ConductorClient::folder);
        Path folder = Path.of("");
        for (ListedFile listed : all) {
            Path below = Path.of("runs").relativize(Path.of(listed.path())).normalize();
            if (below.startsWith("..") || below.isAbsolute()) {
                throw new HostUnavailable("the conductor listed '" + listed.path() + "', which is not a file of a run");
            }
            if (below.getNameCount() > 1) {
                folder = runs.resolve(below.getName(0));
            }
            Path file = runs.resolve(below);
            conductor.ask(asked -> asked.fetch(listed, file));
        }
        return folder;
    }

    private void delete() {
        if (!new OwnedObjects(client, run()).delete()) {
            note("run '" + run().name() + "' left objects behind; delete them: weir doctor --on kubernetes --clean");
        }
    }

    private void note(String line) {
        printed.accept("  " + line + "\n");
    }

    @Override
    public void close() {
        client.close();
    }
}
