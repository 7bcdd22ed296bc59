package weir.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.probe.ProcessProbes.ProcessTree;

class ProcessTreeTest {
    private Tree tree = new Tree(Path.of(""));
    private ProcessTree probe = new ProcessTree(tree.files(), 7);

    @BeforeEach
    void plant(@TempDir Path root) {
        tree = new Tree(root);
        probe = new ProcessTree(tree.files(), 7);
        process(7, 0, 1, 0, "8 9 ");
        process(8, 100, 50, 0, "");
        process(9, 200, 60, 0, "");
    }

    private void process(long pid, int ticks, int mib, int writtenMib, String children) {
        tree.put(
                "/proc/" + pid + "/stat",
                pid + " (a b) S 1 1 1 0 -1 0 " + ticks + " 0 2 0 " + ticks + " 0 0 0 20 0 1 0 4711 0 0\n");
        tree.put("/proc/" + pid + "/status", "RssAnon:\t" + mib * 1024 + " kB\n");
        tree.put("/proc/" + pid + "/io", "wchar: 5\nwrite_bytes: " + ((long) writtenMib << 20) + "\n");
        tree.put("/proc/" + pid + "/task/" + pid + "/children", children);
    }

    @Test
    void aProcessAndAllThatItStartedAreAddedUp() {
        tree.look(probe);
        process(8, 150, 70, 30, "");
        process(9, 200, 80, 12, "");
        assertThat(tree.look(probe))
                .containsKeys(Tree.drawn(probe))
                .containsEntry("processes", 3.0)
                .containsEntry("memory.rss.mib", 151.0)
                .containsEntry("cpu.cores", 0.5)
                .containsEntry("faults.minor.per.s", 50.0)
                .containsEntry("disk.written.mib.per.s", 42.0);
    }

    @Test
    void usageOfEndedChildProcessesStaysInTheTotal() throws IOException {
        process(7, 0, 1, 0, "8 9 10");
        tree.look(probe);
        process(9, 300, 60, 5, "");
        tree.look(probe);
        process(7, 0, 1, 0, "8 11");
        process(11, 40, 10, 2, "");
        assertThat(tree.look(probe))
                .containsEntry("processes", 3.0)
                .containsEntry("memory.rss.mib", 61.0)
                .hasEntrySatisfying("cpu.cores", cores -> assertThat(cores).isCloseTo(0.4, within(1e-9)))
                .containsEntry("disk.written.mib.per.s", 2.0);
    }

    @Test
    void processTreeEndsWithItsRootProcess() throws IOException {
        tree.look(probe);
        for (String file : new String[] {"stat", "status", "io", "task/7/children", "task/7", "task", ""}) {
            tree.remove("/proc/7/" + file);
        }
        assertThat(tree.look(probe)).isEmpty();
        assertThat(tree.ended()).isTrue();
    }

    @Test
    void kernelWithoutChildListIsReported() throws IOException {
        tree.remove("/proc/7/task/7/children");
        assertThat(tree.look(probe)).isEmpty();
        assertThat(tree.absent()).singleElement().asString().contains("CONFIG_PROC_CHILDREN");
    }
}
