package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodProblemsTest {
    private static Pod pod(String status) {
        return Serialization.unmarshal("---\n{kind: Pod, apiVersion: v1, status: " + status + "}", Pod.class);
    }

    private static Pod container(String state) {
        return pod("{phase: Pending, containerStatuses: [{name: load, ready: false, state: {" + state + "}}]}");
    }

    private static Event event(String fields) {
        return Serialization.unmarshal("---\n{kind: Event, apiVersion: v1, " + fields + "}", Event.class);
    }

    @Test
    void aPodWithoutAPlaceWaitsInTheWordsOfTheScheduler() {
        Pod pod = pod("{phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                + " message: \"0/2 nodes are available:\\n  2 Insufficient cpu. \"}]}");
        assertThat(PodProblems.waiting(pod)).isEqualTo("Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(PodProblems.hopeless(pod)).as("a node may come").isEmpty();
        assertThat(PodProblems.runs(pod)).isFalse();
        assertThat(PodProblems.ready(pod)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ImagePullBackOff", "ErrImagePull"})
    void anImageThatIsPulledAgainMayComeYet(String reason) {
        Pod pod = container("waiting: {reason: " + reason + ", message: Back-off pulling image}");
        assertThat(PodProblems.hopeless(pod)).isEmpty();
        assertThat(PodProblems.waiting(pod)).isEqualTo(reason + ": Back-off pulling image");
        assertThat(PodProblems.runs(pod)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ErrImageNeverPull",
                "InvalidImageName",
                "CreateContainerConfigError",
                "CreateContainerError",
                "RunContainerError"
            })
    void whatNoWaitingEndsIsHopeless(String reason) {
        assertThat(PodProblems.hopeless(container("waiting: {reason: " + reason + ", message: so it says}")))
                .isEqualTo(reason + ": so it says");
        assertThat(PodProblems.hopeless(container("waiting: {reason: " + reason + "}")))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reason: OOMKilled, exitCode: 137|its container has ended: OOMKilled: it needed more memory than its limit",
                "reason: Error, exitCode: 137|its container has ended: Error (exit code 137)",
                "reason: Error, exitCode: 3, message: no way   there|its container has ended: Error (exit code 3): no way there",
                "reason: Completed, exitCode: 0|its container has ended: Completed (exit code 0)"
            })
    void aContainerThatHasEndedTellsHow(String end, String said) {
        assertThat(PodProblems.hopeless(container("terminated: {" + end + "}"))).isEqualTo(said);
    }

    @Test
    void aPodThatANodeEndedTellsWhy() {
        Pod pod = pod("{phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.',"
                + " containerStatuses: [{name: load, state: {terminated: {reason: Error, exitCode: 137}}}]}");
        assertThat(PodProblems.hopeless(pod)).isEqualTo("Evicted: The node was low on resource: memory.");
    }

    @Test
    void aPodThatRunsHasNoProblem() {
        Pod runs = container("running: {startedAt: '2026-01-02T03:04:05Z'}");
        assertThat(PodProblems.runs(runs)).isTrue();
        assertThat(PodProblems.ready(runs)).isFalse();
        assertThat(PodProblems.hopeless(runs)).isEmpty();
        assertThat(PodProblems.waiting(runs)).isEmpty();
        assertThat(PodProblems.ready(
                        pod("{containerStatuses: [{name: conductor, ready: true, state: {running: {}}}]}")))
                .isTrue();
    }

    @Test
    void aPodOfWhichNothingIsKnownYetHasNoProblem() {
        Pod pod = pod("{phase: Pending}");
        assertThat(PodProblems.runs(pod)).isFalse();
        assertThat(PodProblems.ready(pod)).isFalse();
        assertThat(PodProblems.hopeless(pod)).isEmpty();
        assertThat(PodProblems.waiting(pod)).isEmpty();
    }

    @Test
    void theLastWarningIsTold() {
        List<Event> events = List.of(
                event("type: Warning, reason: FailedMount, message: later, lastTimestamp: '2026-01-02T03:04:06Z'"),
                event("type: Normal, reason: Pulled, message: last of all, lastTimestamp: '2026-01-02T03:04:09Z'"),
                event(
                        "type: Warning, reason: FailedScheduling, message: first, eventTime: '2026-01-02T03:04:05.000001Z'"));
        assertThat(PodProblems.warning(events)).isEqualTo("FailedMount: later");
        assertThat(PodProblems.warning(events.subList(1, 3))).isEqualTo("FailedScheduling: first");
        assertThat(PodProblems.warning(events.subList(1, 2))).isEmpty();
    }
}
