package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.maintenance.OperationRun.Step;
import weir.run.FakeLab;

/** The steps of an operation on a clock that the test turns. */
class OperationRunTest {
    private final List<String> acts = new ArrayList<>();
    private final FakeLab lab;
    private final long begin;
    private boolean inSync;

    OperationRunTest(@TempDir Path state) {
        lab = new FakeLab(state);
        begin = lab.nanos();
    }

    private OperationRun run(Duration max, Runnable start) {
        return run(max, start, () -> acts.add("end"));
    }

    private OperationRun run(Duration max, Runnable start, Runnable end) {
        List<Step> steps = List.of(
                Step.of("broker 1", "stop", () -> acts.add("stopped")),
                new Step(
                        "broker 1",
                        "start",
                        start,
                        () -> inSync ? "" : "3 replicas are not in sync",
                        () -> acts.add("in sync")),
                Step.of("broker 2", "stop", () -> acts.add("stopped")));
        return new OperationRun("roll", lab, new MarkNotes(begin, acts), steps, max, end).start();
    }

    private void passes(Duration time) {
        lab.passes(lab.nanos() + time.toNanos());
    }

    @Test
    void nextStepBeginsWhenTheClusterIsInTheStateOfTheLast() {
        OperationRun run = run(Duration.ofMinutes(1), () -> acts.add("started"));
        passes(Duration.ofSeconds(5));
        assertThat(acts)
                .containsExactly(
                        "0 operation roll: broker 1: stop", "stopped", "0 operation roll: broker 1: start", "started");
        assertThat(run.done()).isNotDone();
        inSync = true;
        passes(Duration.ofSeconds(1));
        assertThat(acts).endsWith("in sync", "5100 operation roll: broker 2: stop", "stopped", "end");
        assertThat(run.done()).isCompleted();
        run.close();
        assertThat(acts).containsOnlyOnce("end");
    }

    @Test
    void stepThatIsNotDoneInTimeFailsTheOperationAndSaysWhatIsMissing() {
        OperationRun run = run(Duration.ofSeconds(3), () -> acts.add("started"));
        passes(Duration.ofSeconds(10));
        assertThat(run.done()).isCompletedExceptionally();
        assertThat(run.done().handle((none, e) -> e.getMessage()).join())
                .isEqualTo(
                        "the step 'start' of broker 1 was not done after 3 s: 3 replicas are not in sync; raise max");
        assertThat(acts).endsWith("started", "end");
    }

    @Test
    void failedActionFailsTheOperationWithItsReason() {
        OperationRun run = run(Duration.ofMinutes(1), () -> {
            throw new IllegalStateException("broker-1 refuses");
        });
        passes(Duration.ofSeconds(1));
        assertThat(run.done().handle((none, e) -> e.getMessage()).join()).isEqualTo("broker-1 refuses");
        assertThat(acts).endsWith("end").doesNotContain("1000 operation roll: broker 2: stop");
    }

    @Test
    void failedOperationKeepsItsReasonWhenItsEndFailsToo() {
        OperationRun run = run(
                Duration.ofMinutes(1),
                () -> {
                    throw new IllegalStateException("broker-1 refuses");
                },
                () -> {
                    throw new IllegalStateException("removing the throttle");
                });
        passes(Duration.ofSeconds(1));
        assertThat(run.done().handle((none, e) -> e.getMessage()).join()).isEqualTo("broker-1 refuses");
    }

    @Test
    void cancelledOperationBeginsNoFurtherStep() {
        OperationRun run = run(Duration.ofMinutes(1), () -> acts.add("started"));
        passes(Duration.ofSeconds(1));
        run.close();
        inSync = true;
        passes(Duration.ofSeconds(5));
        assertThat(acts).endsWith("started", "end");
        assertThat(run.done()).isNotDone();
    }
}
