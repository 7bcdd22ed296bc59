package weir.feature.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.feature.NeedsFeature;
import weir.host.FakeMachine;
import weir.run.FakeLab;
import weir.run.PreflightException;

/** Brokers that an operation adds on the hosts of the first broker, each with memory for one heap. */
@NeedsFeature("hosts")
class AddOnHostsTest {
    @TempDir
    Path dir;

    private FakeLab run(int added) throws IOException {
        FakeLab lab = new FakeLab(dir.resolve("state"));
        lab.machine = FakeMachine.large().withFree(3L << 29);
        lab.run(dir, """
                cluster: { brokers: 1, heap: 1GiB, fresh: trial, placed: { hosts: [a, b] } }
                load: { rate: 100/s }
                warmup: 1s
                measure: 3s
                during: { grow: { at: 1s, settle: 1s, add: { brokers: %d, move: none } } }
                """.formatted(added), new ArrayList<>());
        return lab;
    }

    @Test
    void addedBrokerNeedsMemoryOnTheNextHostOnly() throws IOException {
        // The fake cluster lists no broker, so the added broker has the number 1.
        assertThat(run(1).clusterActs()).containsExactly(List.of("RESTART 1"));
    }

    @Test
    void addedBrokerWithoutMemoryOnItsHostIsRefusedBeforeTheStart() {
        assertThatThrownBy(() -> run(2))
                .isInstanceOf(PreflightException.class)
                .hasMessage(
                        "variant 'base': host 'a': the heaps of the brokers need 2.0 GiB, and only 1.5 GiB of memory"
                                + " is free; set cluster.heap lower, or place brokers on more hosts");
    }
}
