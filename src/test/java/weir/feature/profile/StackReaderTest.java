package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import weir.feature.profile.StackReader.StackCounts;

class StackReaderTest {
    @Test
    void threadsOfAPoolAreOneAndCompilersAreTwo() {
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
    void ofVeryManyStacksTheLastAreAddedUpAndNoneIsLost() {
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
}
