package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.cluster.admin.TopicPartitionLeader;

class DiskGuardTest {
    @TempDir
    private Path folder;

    private final List<String> stopped = new ArrayList<>();

    @Test
    void aGuardThatCannotSeeEndsTheTrialOnce() {
        DiskGuard guard = guard(() -> {
            throw new IllegalStateException("nobody answered");
        });
        guard.run();
        guard.run();
        assertThat(stopped).containsExactly("the disk and the replicas cannot be watched any more: nobody answered");
    }

    @Test
    void aQuestionCutShortByTheEndOfTheTrialEndsNothing() {
        guard(() -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while asking");
                })
                .run();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(stopped).isEmpty();
    }

    private DiskGuard guard(Supplier<List<TopicPartitionLeader>> underReplicated) {
        return new DiskGuard(new FakeLab(folder), List.of(folder), underReplicated, stopped::add);
    }
}
