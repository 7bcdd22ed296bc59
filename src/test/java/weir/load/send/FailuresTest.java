package weir.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.Steps;

class FailuresTest {
    @Test
    void reasonsAreCountedInTheMeasuredPhaseAndToldWhenTheyComeUpFirst() {
        List<String> events = new ArrayList<>();
        Failures failures = new Failures(events::add);
        failures.add(new IllegalStateException("batch 7 is too large"), Steps.WARMUP, 5);
        failures.add(new IllegalArgumentException("no"), Steps.WARMUP, 5);
        failures.add(new IllegalStateException("batch 8 is too large"), Steps.MEASURE, 3);
        failures.add(new IllegalStateException("batch 9 is too large"), Steps.MEASURE + 1, 1);
        assertThat(failures.lines()).containsExactly("4 failed: IllegalStateException: batch # is too large");
        assertThat(events).hasSize(2).allMatch(event -> event.startsWith("first failure: "));
    }
}
