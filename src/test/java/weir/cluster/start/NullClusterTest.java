package weir.cluster.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.host.Children;
import weir.host.Journal;
import weir.host.Ports;

class NullClusterTest {
    @TempDir
    Path folder;

    @Test
    void portOfAnotherProcessIsNotTakenForTheNullCluster() throws Exception {
        Ports ports = new Ports();
        int shared = ports.getAsInt();
        Deque<Integer> given = new ArrayDeque<>(List.of(shared, ports.getAsInt()));
        try (ServerSocket other = new ServerSocket(shared, 50, InetAddress.getLoopbackAddress());
                Journal journal = Journal.open();
                Children children = Children.open(journal);
                NullCluster ours = NullCluster.start(children, folder, given::remove)) {
            assertThat(given).isEmpty();
            assertThat(ours.bootstrap()).doesNotEndWith(":" + other.getLocalPort());
            try (Admin admin = Admin.create(Map.copyOf(ours.clientProperties()))) {
                assertThat(admin.describeCluster().clusterId().get()).isEqualTo(ours.id());
            }
        }
    }

    @Test
    void closingLeavesNoProcess() {
        try (Journal journal = Journal.open();
                Children children = Children.open(journal)) {
            NullCluster sink = NullCluster.start(children, folder);
            long pid = sink.brokers().get(0).pid();
            assertThat(ProcessHandle.of(pid)).isPresent();
            sink.close();
            sink.close();
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(sink.brokers().get(0).pid()).isEqualTo(-1);
        }
    }
}
