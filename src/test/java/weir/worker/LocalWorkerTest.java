package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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

    @Test
    void whyItDiedStandsInTheFirstLine() {
        assertThat(LocalWorker.told(
                        "worker 7 ended with exit code 3",
                        List.of("Terminating due to java.lang.OutOfMemoryError: Java heap space"),
                        Path.of("worker.log")))
                .isEqualTo("worker 7 ended with exit code 3, out of memory: Java heap space: a peer declared a huge"
                        + " message, or the heap is too small for this load (log: worker.log)");
        assertThat(LocalWorker.told(
                        "worker 7 ended with exit code 3",
                        List.of(
                                "11:05:16 WARN NetworkClient: disconnected",
                                "Terminating due to java.lang.OutOfMemoryError: Requested array size exceeds VM limit"),
                        Path.of("worker.log")))
                .isEqualTo("worker 7 ended with exit code 3, out of memory: Requested array size exceeds VM limit: a"
                        + " peer declared a message of about 2 GiB (log: worker.log)");
        assertThat(LocalWorker.told("worker 7 was killed (signal 9; out of memory?)", List.of(), Path.of("worker.log")))
                .isEqualTo("worker 7 was killed (signal 9; out of memory?) (log: worker.log)");
    }
}
