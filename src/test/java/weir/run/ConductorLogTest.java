package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.internals.KafkaThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.property.ResolvedSecrets;

class ConductorLogTest {
    @Test
    void failuresOfKafkaThreadsAreLoggedAndTheLogIsReportedOnce(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("conductor.log");
        List<String> told = new ArrayList<>();
        ResolvedSecrets secrets = new ResolvedSecrets(List.of(), List.of("Open-Sesame"));
        try (Runner.ConductorLog log = Runner.ConductorLog.open(file, secrets, told::add)) {
            assertThat(log.isStarted()).isTrue();
            assertThat(file).doesNotExist();
            for (int i = 0; i < 2; i++) {
                dies();
            }
        }
        assertThat(told)
                .singleElement()
                .asString()
                .isEqualTo("Kafka clients of this process logged errors (log: " + file + ")");
        assertThat(Files.readString(file))
                .contains("java.lang.OutOfMemoryError: *** is too large", "\tat weir.run.ConductorLogTest")
                .doesNotContain("Open-Sesame");
    }

    private static void dies() throws InterruptedException {
        Thread thread = KafkaThread.daemon("kafka-admin-client-thread", () -> {
            throw new OutOfMemoryError("Open-Sesame is too large");
        });
        thread.start();
        thread.join();
    }
}
