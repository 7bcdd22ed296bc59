package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortsTest {
    @Test
    void portsAreFreeAndNeverTheSame() throws Exception {
        Ports ports = new Ports();
        Set<Integer> given = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            int port = ports.getAsInt();
            assertThat(given.add(port)).isTrue();
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    @ParameterizedTest
    @CsvSource({"32768 60999, 32768", "20000\t65535, 20000", "3 65535, 32768"})
    void portsAreBelowTheKernelsOwnWhereThereIsRoom(String range, int above) {
        assertThat(Ports.firstEphemeral(range)).isEqualTo(above);
    }
}
