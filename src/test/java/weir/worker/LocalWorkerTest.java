package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LocalWorkerTest {
    @Test
    void whatAWorkerDiedOfIsToldAndTheTracesOfItsClientsStayInItsLog() {
        assertThat(LocalWorker.reasons(List.of(
                        "10:00:00.000 ERROR KafkaThread: Uncaught exception in thread 'kafka-producer-network-thread'",
                        "java.lang.OutOfMemoryError: Java heap space",
                        "\tat java.base/java.nio.HeapByteBuffer.<init>(HeapByteBuffer.java:64)",
                        "\tat java.base/java.nio.ByteBuffer.allocate(ByteBuffer.java:363)",
                        "",
                        "Terminating due to java.lang.OutOfMemoryError: Java heap space")))
                .containsExactly(
                        "10:00:00.000 ERROR KafkaThread: Uncaught exception in thread 'kafka-producer-network-thread'",
                        "java.lang.OutOfMemoryError: Java heap space",
                        "Terminating due to java.lang.OutOfMemoryError: Java heap space");
    }
}
