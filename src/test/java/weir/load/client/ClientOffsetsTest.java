package weir.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weir.cluster.admin.FakeListener;

@Timeout(30)
class ClientOffsetsTest {
    @Test
    @Tag("long")
    void lookupsOfACoordinatorThatIsNotThereArePaused() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        AtomicInteger port = new AtomicInteger();
        try (FakeListener broker =
                FakeListener.broker("one", () -> new String[] {"1@127.0.0.1:" + port}, lookups::incrementAndGet)) {
            port.set(broker.port());
            List<TopicPartition> partitions = List.of(new TopicPartition("t", 0));
            Map<String, Object> client = Map.of(
                    "bootstrap.servers", broker.at(), "default.api.timeout.ms", "2000", "request.timeout.ms", "2000");
            try (ClientOffsets offsets = new ClientOffsets(Admin.create(client), "g", client, false)) {
                assertThatThrownBy(() -> offsets.committed(partitions, new long[1]))
                        .isInstanceOf(TimeoutException.class);
                assertThatThrownBy(() -> offsets.commit(partitions, new long[1]))
                        .isInstanceOf(TimeoutException.class);
                assertThat(lookups.get()).isBetween(2, 40);
            }
        }
    }
}
