package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.measure.Canary;
import weir.plan.CaveatType;
import weir.results.Canaries;
import weir.results.Caveat;

class CanaryWatchTest {
    private static Canary cpu(double speed) {
        return new Canary("cpu, all cores", "M steps/s", true, 0.1, List.of(speed, speed * 1.01, speed * 0.99));
    }

    private static List<Caveat> caveats(double before, double after) {
        return MachineDoubts.drifted(new Canaries(List.of(cpu(before)), List.of(cpu(after))).drifted());
    }

    @Test
    void aMachineThatWorksAtAnotherSpeedAfterwardsIsNoisyAndOneThatDoesNotIsNot() {
        assertThat(caveats(1_200, 1_180)).isEmpty();
        assertThat(caveats(1_200, 600)).singleElement().satisfies(caveat -> {
            assertThat(caveat.type()).isEqualTo("host-noisy");
            assertThat(caveat.level()).isEqualTo(CaveatType.Level.DOUBT);
            assertThat(caveat.evidence()).contains("cpu, all cores 1,200 before, 600 M steps/s after");
            assertThat(caveat.trial()).isNull();
        });
        assertThat(caveats(600, 1_200)).as("a faster one is another one, too").hasSize(1);
    }
}
