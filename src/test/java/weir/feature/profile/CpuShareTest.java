package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuShareTest {
    @Test
    void everySampleBelongsToOnePartAtTheMost() {
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
    void aProfileOfNothingHasNoParts() {
        assertThat(CpuShare.of(new StackTree()))
                .allSatisfy((share, weight) -> assertThat(weight).isZero());
    }
}
