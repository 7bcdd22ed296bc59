package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.probe.Readings;
import weir.worker.link.ClockOffset;
import weir.worker.link.LinkFrame;
import weir.worker.link.LinkFrame.Kind;
import weir.worker.link.LinkJson;
import weir.worker.link.SyncedClock;

class ClockProbeTest {
    private static final long MILLI = 1_000_000;

    private long own = 1_000 * MILLI;
    private final SyncedClock clock = new SyncedClock(() -> own);
    private final AssignmentRunner.ClockProbe probe = new AssignmentRunner.ClockProbe(clock);
    private final List<Kind> answers = new ArrayList<>();
    private final AssignmentRunner runner = new AssignmentRunner(
            new SpokenLink() {
                @Override
                public void send(LinkFrame frame) {
                    answers.add(frame.kind());
                }
            },
            new RedactedOutput(new ByteArrayOutputStream()),
            clock);

    private void told(long offsetMillis, long errorMillis) throws IOException {
        ClockOffset offset = new ClockOffset(offsetMillis * MILLI, errorMillis * MILLI);
        assertThat(runner.handle(LinkFrame.of(Kind.CLOCK, offset::write))).isTrue();
    }

    /** A worker without an assignment refuses, but its time counts from then on. */
    private void run() {
        LinkFrame run = LinkFrame.of(Kind.RUN, LinkJson.write(new LinkMessages.Run(1, LoadPhase.MEASURE, own + 1_000)));
        try {
            assertThat(runner.handle(run)).isFalse();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        runner.carryOut(run);
        assertThat(answers).containsExactly(Kind.FAILED);
    }

    private Map<String, Double> looked() {
        Map<String, Double> levels = new HashMap<>();
        Readings readings = new Readings("worker");
        readings.begin(0, own);
        probe.sample(readings);
        readings.readings().forEach(reading -> levels.put(reading.metric(), reading.value()));
        return levels;
    }

    @Test
    void localClockGivesNoClockReadings() {
        assertThat(looked()).isEmpty();
    }

    @Test
    void clockIsSetBeforeAPhaseAndSlewedDuringIt() throws IOException {
        told(7_000, 2);
        told(5_000, 2);
        assertThat(clock.getAsLong()).isEqualTo(own + 5_000 * MILLI);
        run();
        told(5_002, 2);
        assertThat(clock.getAsLong()).isEqualTo(own + 5_000 * MILLI);
        own += 1_000 * MILLI;
        assertThat(clock.getAsLong()).isEqualTo(own + 5_000 * MILLI + MILLI / 2);
    }

    @Test
    void largestClockErrorOfASecondIsReported() throws IOException {
        told(5_000, 1);
        run();
        told(5_001, 3);
        probe.sampleFast();
        own += 2_000 * MILLI;
        told(5_001, 1);
        assertThat(looked()).containsOnly(Map.entry(AssignmentRunner.ClockProbe.ERROR, 4.0));
        assertThat(looked()).containsOnly(Map.entry(AssignmentRunner.ClockProbe.ERROR, 1.0));
    }

    @Test
    void clockJumpIsReportedOnce() throws IOException {
        told(5_000, 1);
        run();
        told(5_050, 1);
        assertThat(looked()).containsEntry(AssignmentRunner.ClockProbe.JUMP, 50.0);
        assertThat(looked()).containsOnlyKeys(AssignmentRunner.ClockProbe.ERROR);
    }
}
