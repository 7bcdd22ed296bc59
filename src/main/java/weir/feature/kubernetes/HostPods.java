package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import weir.host.HostUnavailable;

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
            return pod.getMetadata().getDeletionTimestamp() != null ? "its pod was deleted" : PodProblems.hopeless(pod);
        } catch (KubernetesClientException e) {
            return "the reason is unknown: " + ApiServer.reason(e);
        }
    }
}
