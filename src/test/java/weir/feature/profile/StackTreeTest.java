package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.junit.jupiter.api.Test;

class StackTreeTest {
    private final StackTree tree = new StackTree();

    @Test
    void stacksAreMergedFromTheirRoots() {
        tree.add("[pool];run;read", 3);
        tree.add("[pool];run;write", 2);
        tree.add("[pool];run", 1);
        assertThat(tree.root().first()).isEqualTo(6);
        StackTree.Frame run =
                tree.root().below().iterator().next().below().iterator().next();
        assertThat(run.name()).isEqualTo("run");
        assertThat(run.firstItself()).isEqualTo(1);
        assertThat(run.below())
                .extracting(StackTree.Frame::name, StackTree.Frame::first)
                .containsExactly(tuple("read", 3L), tuple("write", 2L));
    }

    @Test
    void aMethodThatCallsItselfCountsOnceInEachStack() {
        tree.add("[pool];f;g;f;f", 4);
        tree.add("[pool];f", 1);
        assertThat(tree.methods())
                .extracting(StackTree.Method::name, StackTree.Method::first, StackTree.Method::firstItself)
                .containsExactly(tuple("f", 5L, 5L), tuple("g", 4L, 0L));
    }

    @Test
    void whatWeighsMostByItselfComesFirstAndThreadsAreNoMethods() {
        tree.add("[one];run;hot", 7);
        tree.add("[two];run;cold", 2);
        assertThat(tree.methods()).extracting(StackTree.Method::name).containsExactly("hot", "cold", "run");
    }

    @Test
    void twoProfilesStandSideBySide() {
        tree.add("[pool];run;old", 5);
        tree.addSecond("[pool];run;new", 8);
        assertThat(tree.root().first()).isEqualTo(5);
        assertThat(tree.root().second()).isEqualTo(8);
        assertThat(tree.methods())
                .extracting(StackTree.Method::name, StackTree.Method::first, StackTree.Method::second)
                .containsExactly(tuple("new", 0L, 8L), tuple("old", 5L, 0L), tuple("run", 5L, 8L));
    }

    @Test
    void aStackOfAnyDepthIsTaken() {
        tree.add("[pool]" + ";f".repeat(100_000), 1);
        tree.add(";;;", 1);
        assertThat(tree.methods()).extracting(StackTree.Method::first).containsExactly(1L);
        assertThat(tree.root().first()).isEqualTo(2);
    }
}
