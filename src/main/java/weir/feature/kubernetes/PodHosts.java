package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import weir.feature.kubernetes.ApiServer.ClientKeys;
import weir.feature.kubernetes.PodSets.PodSet;
import weir.host.HostUnavailable;
import weir.plan.Experiment;
import weir.plan.LoadSpec;
import weir.plan.PlacedSpec;
import weir.plan.RecordKeys;
import weir.plan.Variant;
import weir.run.lab.OtherHosts.HostStarter;

/** The pods that a run's conductor creates. They are hosts on which an agent already runs. */
public final class PodHosts implements HostStarter, AutoCloseable {
    private static final Duration STARTING = Duration.ofSeconds(50);

    private final ConductorApi api;
    private final RunIdentity run;
    private final Experiment experiment;
    private final PodSets sets;
    private final HostPods pods;
    private final Consumer<String> notes;
    private boolean made;

    private PodHosts(ConductorApi api, RunIdentity run, Experiment experiment, Consumer<String> notes) {
        this.api = api;
        this.run = run;
        this.experiment = experiment;
        this.sets = PodSets.of(experiment);
        this.pods = new HostPods(api);
        this.notes = notes;
    }

    /**
     * Prepares the creation of an experiment's pods.
     *
     * @param notes receives problems that do not make the run fail
     * @throws HostUnavailable if the objects of the run do not exist in Kubernetes
     */
    public static PodHosts open(Experiment experiment, RunIdentity run, Consumer<String> notes) {
        return open(experiment, run, ClientKeys.client(), notes);
    }

    static PodHosts open(Experiment experiment, RunIdentity run, KubernetesClient client, Consumer<String> notes) {
        ConductorApi api = new ConductorApi(client, run);
        RunIdentity owned;
        try {
            owned = api.owned();
        } catch (KubernetesClientException e) {
            api.close();
            throw new HostUnavailable("Kubernetes: " + ApiServer.reason(e));
        }
        return new PodHosts(api, owned, experiment, notes);
    }

    public Experiment placed(String address) {
        return experiment.with(variant -> placed(
                variant,
                sets.byVariant().getOrDefault(variant.name(), List.of()).iterator(),
                address));
    }

    private Variant placed(Variant variant, Iterator<PodSet> next, String address) {
        Map<String, PlacedSpec> placed = new LinkedHashMap<>();
        if (variant.load().target() == LoadSpec.Target.CLUSTER
                && !variant.cluster().brokers().isEmpty()) {
            placed.put("cluster.placed", hosts(variant.cluster().placed(), next, address));
        }
        if (!variant.bridge().processes().isEmpty()) {
            placed.put("bridge.placed", hosts(variant.bridge().placed(), next, address));
        }
        placed.put("load.placed", hosts(variant.load().placed(), next, address));
        variant.during().forEach((name, disturbance) -> {
            if (!disturbance.processes().isEmpty()) {
                placed.put("during." + name + ".placed", hosts(disturbance.placed(), next, address));
            }
        });
        return RecordKeys.with(variant, placed);
    }

    private PlacedSpec hosts(PlacedSpec placed, Iterator<PodSet> next, String address) {
        return placed.inPods()
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
            pods.await(names, STARTING, () -> false);
        } catch (KubernetesClientException e) {
            throw new HostUnavailable("Kubernetes refused the pods of the run: " + ApiServer.reason(e));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + token, e);
        }
    }

    @Override
    public String lossReason(String name) {
        return pods.lossReason(name);
    }

    @Override
    public void close() {
        try {
            if (made) {
                sets.all().forEach(api::delete);
            }
        } catch (KubernetesClientException e) {
            notes.accept("the pods of the run were not deleted: " + ApiServer.reason(e)
                    + "; Kubernetes deletes them with the run");
        } finally {
            api.close();
        }
    }

    /** The state of a run's pods in Kubernetes, by host name. */
    record HostPods(ConductorApi api) {
        private static final String INDEX = "batch.kubernetes.io/job-completion-index";

        Map<String, Pod> byHost() {
            Map<String, Pod> pods = new TreeMap<>();
            for (Pod pod : api.pods()) {
                pods.put(host(pod), pod);
            }
            return pods;
        }

        private static String host(Pod pod) {
            Map<String, String> notes = pod.getMetadata().getAnnotations();
            String index = notes == null ? null : notes.get(INDEX);
            String set = pod.getMetadata().getLabels().getOrDefault(HostObjects.SET, "");
            return index == null ? pod.getMetadata().getName() : set + "-" + index;
        }

        /**
         * @param limit for scheduling a pod, pulling its image and starting it
         * @param stops returns true once the wait is cancelled
         * @throws HostUnavailable with the reason from Kubernetes if a pod does not run
         */
        void await(List<String> names, Duration limit, BooleanSupplier stops) {
            PodProblems.await(this::byHost, names, PodProblems::runs, this::why, limit, stops);
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

        String lossReason(String name) {
            try {
                Pod pod = byHost().get(name);
                if (pod == null) {
                    return "its pod no longer exists";
                }
                return pod.getMetadata().getDeletionTimestamp() != null
                        ? "its pod was deleted"
                        : PodProblems.hopeless(pod);
            } catch (KubernetesClientException e) {
                return "the reason is unknown: " + ApiServer.reason(e);
            }
        }
    }
}
