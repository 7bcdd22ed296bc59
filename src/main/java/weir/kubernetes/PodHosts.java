package weir.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import weir.plan.DisturbanceSpec;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.Variant;
import weir.worker.agent.HostStarter;
import weir.worker.agent.WorkerHosts;

/** The pods of a run, made by its conductor in a pod of its own: hosts on which agents run already. */
public final class PodHosts implements HostStarter, AutoCloseable {
    /** So long may a pod take to be scheduled and started; images are pulled in it. */
    private static final Duration STARTING = Duration.ofSeconds(50);

    private static final Duration ALIVE = Duration.ofSeconds(10);
    private static final Duration GLANCE = Duration.ofMillis(200);
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private final ConductorApi api;
    private final RunIdentity run;
    private final Experiment experiment;
    private final PodSets sets;
    private final Consumer<String> notes;
    private final ScheduledExecutorService lease = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "weir-lease");
        thread.setDaemon(true);
        return thread;
    });
    private boolean made;

    private PodHosts(ConductorApi api, RunIdentity run, Experiment experiment, Consumer<String> notes) {
        this.api = api;
        this.run = run;
        this.experiment = experiment;
        this.sets = PodSets.of(experiment);
        this.notes = notes;
    }

    /**
     * The pods of an experiment, of which none is made yet.
     *
     * @param notes hears what goes wrong beside the run
     * @throws WorkerHosts.Unavailable when Kubernetes does not know the run
     */
    public static PodHosts open(Experiment experiment, RunIdentity run, Consumer<String> notes) {
        return open(
                experiment,
                run,
                new KubernetesClientBuilder()
                        .withConfig(ClientKeys.configured())
                        .build(),
                notes);
    }

    static PodHosts open(Experiment experiment, RunIdentity run, KubernetesClient client, Consumer<String> notes) {
        ConductorApi api = new ConductorApi(client, run);
        RunIdentity owned;
        try {
            owned = api.owned();
        } catch (KubernetesClientException e) {
            api.close();
            throw new WorkerHosts.Unavailable("Kubernetes: " + reason(e));
        }
        PodHosts hosts = new PodHosts(api, owned, experiment, notes);
        hosts.renew();
        var unused =
                hosts.lease.scheduleAtFixedRate(hosts::renew, ALIVE.toSeconds(), ALIVE.toSeconds(), TimeUnit.SECONDS);
        return hosts;
    }

    private void renew() {
        try {
            api.renewLease(ZonedDateTime.now(ZoneOffset.UTC));
        } catch (KubernetesClientException e) {
            // The next one may succeed; nobody ends a run because of its lease.
            notes.accept("the lease of the run was not renewed: " + e.getMessage());
        }
    }

    /** The experiment with the pods that it asks for as hosts, by their names. */
    public Experiment placed(String address) {
        return experiment.with(variant -> placed(
                variant,
                sets.byVariant().getOrDefault(variant.name(), List.of()).iterator(),
                address));
    }

    /** Sets are in the order of {@link PodSets}. */
    private Variant placed(Variant variant, Iterator<PodSet> next, String address) {
        PlacedSpec brokers = variant.cluster().placed();
        if (variant.load().target() == LoadSpec.Target.CLUSTER
                && !variant.cluster().brokers().isEmpty()) {
            brokers = hosts(brokers, next, address);
        }
        PlacedSpec servers = variant.bridge().processes().isEmpty()
                ? variant.bridge().placed()
                : hosts(variant.bridge().placed(), next, address);
        PlacedSpec workers = hosts(variant.load().placed(), next, address);
        Map<String, PlacedSpec> disturbances = new TreeMap<>();
        for (Map.Entry<String, DisturbanceSpec> each : new TreeMap<>(variant.during()).entrySet()) {
            if (each.getValue().startsProcesses()) {
                disturbances.put(each.getKey(), hosts(each.getValue().placed(), next, address));
            }
        }
        return variant.placedOn(brokers, servers, workers, disturbances);
    }

    private PlacedSpec hosts(PlacedSpec placed, Iterator<PodSet> next, String address) {
        return placed instanceof PlacedSpec.Kubernetes
                ? new PlacedSpec.Hosts(next.next().hosts(run), address, PlacedSpec.Start.POD, List.of("pod"))
                : placed;
    }

    @Override
    public synchronized void start(List<String> names, String conductor, Path token) {
        try {
            if (!made) {
                made = true;
                int pods = sets.all().stream().mapToInt(PodSet::pods).sum();
                notes.accept("starting " + pods + (pods == 1 ? " pod" : " pods"));
                api.fillToken(Files.readString(token, StandardCharsets.UTF_8));
                new RunObjects(run, experiment, "", List.of()).hosts(conductor).forEach(api::make);
            }
            await(names);
        } catch (KubernetesClientException e) {
            throw new WorkerHosts.Unavailable("Kubernetes refused the pods of the run: " + reason(e));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + token, e);
        }
    }

    static String reason(KubernetesClientException e) {
        return e.getStatus() != null && e.getStatus().getMessage() != null
                ? e.getStatus().getMessage()
                : String.valueOf(e.getMessage());
    }

    private void await(List<String> names) {
        long deadline = System.nanoTime() + STARTING.toNanos();
        while (true) {
            Map<String, Pod> pods = byHost();
            Optional<String> missing = names.stream()
                    .filter(name -> !pods.containsKey(name) || !PodProblems.runs(pods.get(name)))
                    .findFirst();
            if (missing.isEmpty()) {
                return;
            }
            for (String name : names) {
                Pod pod = pods.get(name);
                String why = pod == null ? "" : PodProblems.hopeless(pod);
                if (!why.isEmpty()) {
                    throw unavailable(name, why);
                }
            }
            if (System.nanoTime() > deadline) {
                throw unavailable(missing.get(), why(missing.get(), pods));
            }
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }

    private String why(String name, Map<String, Pod> pods) {
        Pod pod = pods.get(name);
        if (pod != null) {
            String waits = PodProblems.waiting(pod);
            String warned = PodProblems.warning(api.events(pod.getMetadata().getName()));
            return waits.isEmpty()
                    ? warned
                    : warned.isEmpty() || warned.contains(waits) ? waits : waits + "; " + warned;
        }
        return PodProblems.warning(api.events(name.substring(0, name.lastIndexOf('-'))));
    }

    private static WorkerHosts.Unavailable unavailable(String name, String why) {
        return new WorkerHosts.Unavailable("pod '" + name + "' does not run: "
                + (why.isEmpty() ? "nobody says why within " + STARTING.toSeconds() + " s" : why));
    }

    /** The pods by the names of their hosts. */
    private Map<String, Pod> byHost() {
        Map<String, Pod> pods = new TreeMap<>();
        for (Pod pod : api.pods()) {
            pods.put(host(pod), pod);
        }
        return pods;
    }

    private String host(Pod pod) {
        Map<String, String> notes = pod.getMetadata().getAnnotations();
        String index = notes == null ? null : notes.get(INDEX);
        String set = pod.getMetadata().getLabels().getOrDefault(HostObjects.SET, "");
        return index == null ? pod.getMetadata().getName() : set + "-" + index;
    }

    @Override
    public String fate(String name) {
        try {
            Pod pod = byHost().get(name);
            if (pod == null) {
                return "its pod is gone";
            }
            return pod.getMetadata().getDeletionTimestamp() != null ? "its pod was deleted" : PodProblems.hopeless(pod);
        } catch (KubernetesClientException e) {
            return "Kubernetes does not say why: " + reason(e);
        }
    }

    /** Deletes the pods. */
    @Override
    public void close() {
        lease.shutdownNow();
        try {
            if (made) {
                sets.all().forEach(api::delete);
            }
        } catch (KubernetesClientException e) {
            notes.accept("the pods of the run were not deleted: " + reason(e) + "; they end with it");
        } finally {
            api.close();
        }
    }
}
