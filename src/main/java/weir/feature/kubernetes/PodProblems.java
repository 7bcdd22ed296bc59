package weir.feature.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weir.feature.kubernetes.PodSets.Component;
import weir.host.HostUnavailable;
import weir.time.MachineClock;
import weir.time.TimeLimit;

/** The reasons why pods do not run, as Kubernetes reports them. */
final class PodProblems {
    private static final Set<String> HOPELESS = Set.of(
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    private static final int OUT_OF_MEMORY = 137;
    private static final long POLL_NANOS = 200_000_000;

    private PodProblems() {}

    static boolean runs(Pod pod) {
        return states(pod).anyMatch(state -> state.getRunning() != null);
    }

    static boolean ready(Pod conductor) {
        return conductor.getStatus().getContainerStatuses().stream()
                .anyMatch(status ->
                        status.getName().equals(Component.CONDUCTOR.word()) && Boolean.TRUE.equals(status.getReady()));
    }

    /**
     * @param pods supplies the current pods, by name
     * @param why returns the reason why a pod does not run once the limit has passed; empty if unknown
     * @param stops returns true once the wait is cancelled
     * @throws HostUnavailable with the reason from Kubernetes if a pod does not run
     */
    static void await(
            Supplier<Map<String, Pod>> pods,
            List<String> names,
            Predicate<Pod> up,
            BiFunction<String, Map<String, Pod>, String> why,
            Duration limit,
            BooleanSupplier stops) {
        TimeLimit deadline = MachineClock.within(limit);
        while (true) {
            Map<String, Pod> now = pods.get();
            Optional<String> missing = names.stream()
                    .filter(name -> !now.containsKey(name) || !up.test(now.get(name)))
                    .findFirst();
            if (missing.isEmpty()) {
                return;
            }
            for (String name : names) {
                String hopeless = now.containsKey(name) ? hopeless(now.get(name)) : "";
                if (!hopeless.isEmpty()) {
                    throw unavailable(name, hopeless);
                }
            }
            if (stops.getAsBoolean()) {
                throw unavailable(missing.get(), "interrupted");
            }
            if (deadline.passed()) {
                String known = why.apply(missing.get(), now);
                throw unavailable(
                        missing.get(),
                        known.isEmpty()
                                ? "no reported reason after " + limit.toSeconds() + " s; see 'kubectl describe pod "
                                        + missing.get() + "'"
                                : known);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    static HostUnavailable unavailable(String pod, String why) {
        return new HostUnavailable("pod '" + pod + "' does not run: " + why);
    }

    /** The reason why the pod will never run, or has ended; empty if it runs or may still run. */
    static String hopeless(Pod pod) {
        String status = pod.getStatus().getReason();
        if (status != null && !status.isEmpty()) {
            return sentence(status, pod.getStatus().getMessage());
        }
        return states(pod)
                .map(state -> {
                    if (state.getTerminated() != null) {
                        return ended(state.getTerminated());
                    }
                    boolean waits = state.getWaiting() != null
                            && HOPELESS.contains(state.getWaiting().getReason());
                    return waits
                            ? sentence(
                                    state.getWaiting().getReason(),
                                    state.getWaiting().getMessage())
                            : "";
                })
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    static String waiting(Pod pod) {
        Stream<String> scheduling = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"))
                .map(condition -> sentence(condition.getReason(), condition.getMessage()));
        Stream<String> starting = Stream.concat(states(pod.getStatus().getInitContainerStatuses()), states(pod))
                .filter(state -> state.getWaiting() != null)
                .map(state -> sentence(
                        state.getWaiting().getReason(), state.getWaiting().getMessage()));
        return Stream.concat(scheduling, starting).findFirst().orElse("");
    }

    static String warning(List<Event> events) {
        return events.stream()
                .filter(event -> "Warning".equals(event.getType()))
                .max(Comparator.comparing(PodProblems::time))
                .map(event -> sentence(event.getReason(), event.getMessage()))
                .orElse("");
    }

    /** Events of the scheduler have no {@code lastTimestamp}. */
    private static String time(Event event) {
        String last = event.getLastTimestamp();
        boolean once = last == null && event.getEventTime() != null;
        return once ? event.getEventTime().getTime() : String.valueOf(last);
    }

    private static Stream<ContainerState> states(Pod pod) {
        return states(pod.getStatus().getContainerStatuses());
    }

    private static Stream<ContainerState> states(List<ContainerStatus> containers) {
        return containers.stream().map(ContainerStatus::getState);
    }

    private static String ended(ContainerStateTerminated end) {
        String why = end.getExitCode() == OUT_OF_MEMORY && "OOMKilled".equals(end.getReason())
                ? "OOMKilled: the container used more memory than its limit"
                : sentence(end.getReason() + " (exit code " + end.getExitCode() + ")", end.getMessage());
        return "its container has ended: " + why;
    }

    private static String sentence(String reason, String message) {
        String text = message == null ? "" : message.strip().replaceAll("\\s+", " ");
        return text.isEmpty() ? String.valueOf(reason) : reason + ": " + text;
    }
}
