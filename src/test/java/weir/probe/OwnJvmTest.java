package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
