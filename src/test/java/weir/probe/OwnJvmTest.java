package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.probe.OwnJvm.AllocatedBytes;

class OwnJvmTest {
    @Test
    void theCostOfAllProbesIsThatOfTheThreadThatAsksThem(@TempDir Path root) {
        Tree tree = new Tree(root);
        OwnJvm own = new OwnJvm();
        tree.look(own);
        long begin = System.nanoTime();
        double spun = 0;
        while (System.nanoTime() - begin < 50_000_000) {
            spun += Math.sqrt(spun + 1);
        }
        assertThat(spun).isPositive();
        // By the tree's clock a second has passed.
        assertThat(tree.look(own))
                .containsKeys(Tree.drawn(own))
                .hasEntrySatisfying(
                        "probes.cpu.cores", cores -> assertThat(cores).isBetween(0.001, 0.2));
    }

    @Test
    void whatAThreadThatEndedHadAllocatedStaysInTheTotal() {
        AllocatedBytes all = new AllocatedBytes();
        assertThat(all.total(new long[] {1, 2}, new long[] {100, 40})).isEqualTo(140);
        assertThat(all.total(new long[] {1, 3}, new long[] {150, 7})).isEqualTo(197);
        // The second ended between the two questions.
        assertThat(all.total(new long[] {1, 3}, new long[] {151, -1})).isEqualTo(198);
    }

    @Test
    void aJvmTellsWhatItAllocatedInASecond(@TempDir Path root) {
        Tree tree = new Tree(root);
        OwnJvm own = new OwnJvm();
        tree.look(own);
        byte[] kept = new byte[0];
        for (int i = 0; i < 64; i++) {
            kept = new byte[1 << 20];
        }
        assertThat(kept).hasSize(1 << 20);
        // By the tree's clock a second has passed; other tests allocate in this JVM, too.
        assertThat(tree.look(own).get(AllocatedBytes.METRIC)).isGreaterThanOrEqualTo(64.0 * (1 << 20));
    }
}
