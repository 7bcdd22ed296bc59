package weir.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SocketsTest {
    private static final long US = ProcessHandle.current().pid();
    private static final long INIT = 1;

    @Test
    void ownerOfAPortIsFound() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
            int from = client.getLocalPort();
            int to = server.getLocalPort();
            assertThat(Sockets.owner(KernelFiles.LIVE, from, to, List.of(INIT, US)))
                    .isEqualTo(OptionalLong.of(US));
            assertThat(Sockets.owner(KernelFiles.LIVE, from, to + 1, List.of(US)))
                    .isEmpty();
            assertThat(Sockets.owner(KernelFiles.LIVE, from, to, List.of(INIT))).isEmpty();
            assertThat(Sockets.owner(KernelFiles.LIVE, from, to, List.of())).isEmpty();
        }
    }

    @Test
    void freePortHasNoOwner() throws IOException {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        assertThat(Sockets.owner(KernelFiles.LIVE, port, port, List.of(US))).isEmpty();
    }
}
