package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import weir.feature.profile.ProfileSection.CpuShare;
import weir.feature.profile.StackReader.StackCounts;

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
    void methodsAreSortedBySelfWeightWithoutThreads() {
        tree.add("[one];run;hot", 7);
        tree.add("[two];run;cold", 2);
        assertThat(tree.methods()).extracting(StackTree.Method::name).containsExactly("hot", "cold", "run");
    }

    @Test
    void stackTreeKeepsTwoProfilesSideBySide() {
        tree.add("[pool];run;old", 5);
        tree.addSecond("[pool];run;new", 8);
        assertThat(tree.root().first()).isEqualTo(5);
        assertThat(tree.root().second()).isEqualTo(8);
        assertThat(tree.methods())
                .extracting(StackTree.Method::name, StackTree.Method::first, StackTree.Method::second)
                .containsExactly(tuple("new", 0L, 8L), tuple("old", 5L, 0L), tuple("run", 5L, 8L));
    }

    @Test
    void stackOfAnyDepthIsRead() {
        tree.add("[pool]" + ";f".repeat(100_000), 1);
        tree.add(";;;", 1);
        assertThat(tree.methods()).extracting(StackTree.Method::first).containsExactly(1L);
        assertThat(tree.root().first()).isEqualTo(2);
    }

    @Test
    void threadsOfAPoolAreMergedExceptTheTwoCompilers() {
        assertThat(StackReader.pool("[data-plane-kafka-request-handler-7 tid=4711]"))
                .isEqualTo("[data-plane-kafka-request-handler-#]");
        assertThat(StackReader.pool("[GC Thread#12 tid=3]")).isEqualTo("[GC Thread#]");
        assertThat(StackReader.pool("[C1 CompilerThre tid=3]")).isEqualTo("[C1 CompilerThre]");
        assertThat(StackReader.pool("[C2 CompilerThre tid=3]")).isEqualTo("[C2 CompilerThre]");
        assertThat(StackReader.pool("[a;b\nc tid=3]")).isEqualTo("[a:b c]");
    }

    @Test
    void aLambdaIsTheSameInEveryJvm() {
        assertThat(StackReader.method("a.B$$Lambda$17/0x00007f.run")).isEqualTo("a.B$$Lambda.run");
        assertThat(StackReader.method("a.B$$Lambda$901")).isEqualTo("a.B$$Lambda");
        assertThat(StackReader.method("a.B.run")).isEqualTo("a.B.run");
    }

    @Test
    void stacksAboveTheLimitAreSummedAndNotLost() {
        StackCounts counts = new StackCounts(2, 1);
        counts.add("[t]", "a", 1, 10);
        counts.add("[t]", "b", 1, 20);
        counts.add("[t]", "c", 1, 30);
        counts.add("[t]", "a", 1, 1);
        counts.add("[t]", "d", 1, 40);
        assertThat(counts.counts()).isEqualTo(Map.of("[t];a", 11L, "[t];b", 20L, "[t];[other stacks]", 70L));
        assertThat(counts.samples()).isEqualTo(5);
        assertThat(counts.total()).isEqualTo(101);
    }

    @Test
    void everySampleBelongsToAtMostOneCpuShare() {
        StackTree tree = new StackTree();
        tree.add("[GC Thread#];clone3;G1ParTask::work;page_fault_[k]", 1);
        tree.add("[G1 Conc#];clone3", 2);
        tree.add("[VM Thread];VMThread::run;GenCollectedHeap::do_collection", 4);
        tree.add("[VM Thread];VMThread::run;SafepointSynchronize::begin", 8);
        tree.add("[C2 CompilerThre];Compile::Compile;futex_[k]", 16);
        tree.add("[handler];Request.run;write;do_syscall_64_[k];tcp_sendmsg_[k]", 32);
        tree.add("[handler];Request.run", 64);
        assertThat(CpuShare.of(tree)).isEqualTo(Map.of(CpuShare.GC, 7L, CpuShare.COMPILER, 16L, CpuShare.KERNEL, 32L));
    }

    @Test
    void emptyProfileHasNoCpuShares() {
        assertThat(CpuShare.of(new StackTree()))
                .allSatisfy((share, weight) -> assertThat(weight).isZero());
    }

    /** Samples of 2 ms of CPU while this number of records was carried. */
    private static ProfileScale cpu(double records) {
        return ProfileScale.of(ProfileSpec.Event.CPU, 0.002, 1, records, 10);
    }

    @Test
    void costsArePerRecordAndNotPerSecond() {
        StackTree tree = new StackTree();
        tree.add("[pool];run", 1_000);
        tree.addSecond("[pool];run", 2_000);
        ProfileDifference difference = new ProfileDifference(tree, cpu(100_000), cpu(200_000));
        assertThat(difference.whole().before()).isCloseTo(20, within(1e-9));
        assertThat(difference.whole().after()).isCloseTo(20, within(1e-9));
        assertThat(difference.whole().beyond()).isFalse();
    }

    @Test
    void methodOfOnlyOneProfileIsListedFirst() {
        StackTree tree = new StackTree();
        tree.add("[pool];run;work", 1_000);
        tree.addSecond("[pool];run;work", 1_010);
        tree.addSecond("[pool];run;hot", 400);
        ProfileDifference difference = new ProfileDifference(tree, cpu(100_000), cpu(100_000));
        ProfileDifference.Change first = difference.changes().get(0);
        assertThat(first.name()).isEqualTo("hot");
        assertThat(first.before()).isZero();
        assertThat(first.after()).isCloseTo(8, within(1e-9));
        assertThat(first.itself()).isCloseTo(8, within(1e-9));
        assertThat(first.beyond()).isTrue();
        assertThat(difference.changes())
                .filteredOn(change -> change.name().equals("work"))
                .singleElement()
                .satisfies(change -> assertThat(change.beyond()).isFalse());
    }

    @Test
    void fewSamplesAgainstNoneAreNoDifference() {
        ProfileScale scale = cpu(1_000);
        assertThat(scale.differs(0, scale, 1)).isFalse();
        assertThat(scale.differs(0, scale, 4)).isFalse();
        assertThat(scale.differs(0, scale, 20)).isTrue();
    }

    @Test
    void heavySampleCountsAsOneSample() {
        ProfileScale bytes = ProfileScale.of(ProfileSpec.Event.ALLOC, 1, 524_288, 1_000, 10);
        assertThat(bytes.differs(0, bytes, 4 * 524_288)).isFalse();
        assertThat(bytes.cost(524_288)).isCloseTo(524.288, within(1e-9));
    }

    /** One wait of a second among a thousand waits of 20 µs is no difference. */
    @Test
    void singleLongWaitIsNoDifference() {
        double sum = 1_000 * 20e3 + 1e9;
        double squares = 1_000 * 20e3 * 20e3 + 1e18;
        ProfileScale waits = ProfileScale.of(ProfileSpec.Event.LOCK, 1e-9, squares / sum, 1_000, 10);
        assertThat(waits.differs(0, waits, 1_000_000_000L)).isFalse();
        ProfileScale even = ProfileScale.of(ProfileSpec.Event.LOCK, 1e-9, 20e3, 1_000, 10);
        assertThat(even.differs(0, even, 1_000_000_000L)).isTrue();
    }

    @Test
    void wallClockIsComparedBySeconds() {
        ProfileScale wall = ProfileScale.of(ProfileSpec.Event.WALL, 0.02, 1, 0, 10);
        assertThat(wall.cost(5_000)).isCloseTo(10, within(1e-9));
        assertThat(ProfileScale.unit(ProfileSpec.Event.WALL)).isEqualTo("threads");
    }

    /** Two samples of the same code: of a thousand frames hardly any differs. */
    @Test
    void equalProfilesDifferInAtMostOnePercentOfFrames() {
        SplittableRandom random = new SplittableRandom(7);
        ProfileScale scale = cpu(1);
        int differs = 0;
        for (int frame = 0; frame < 1_000; frame++) {
            double mean = 1 + frame / 10.0;
            differs += scale.differs(poisson(mean, random), scale, poisson(mean, random)) ? 1 : 0;
        }
        assertThat(differs).isLessThanOrEqualTo(10);
    }

    private static long poisson(double mean, SplittableRandom random) {
        long count = 0;
        for (double sum = -Math.log(1 - random.nextDouble()); sum < mean; sum -= Math.log(1 - random.nextDouble())) {
            count++;
        }
        return count;
    }
}
