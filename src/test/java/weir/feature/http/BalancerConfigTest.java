package weir.feature.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalancerConfigTest {
    private static final InetSocketAddress OWN = new InetSocketAddress("10.77.0.2", 9000);

    private static final List<InetSocketAddress> SERVERS = List.of(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 7001),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 7002));

    @Test
    void balancerTemplateGetsItsAddresses() {
        assertThat(GatewayBridge.BalancerConfig.of(
                        "bind {address}:{port}\nserver a {gateway-2}\nserver b {gateway-1}", OWN, SERVERS))
                .isEqualTo("bind 10.77.0.2:9000\nserver a 127.0.0.1:7002\nserver b 127.0.0.1:7001");
    }

    @Test
    void missingServerPlaceholderIsFound() {
        assertThat(GatewayBridge.BalancerConfig.absent("{port} {gateway-1} {gateway-2}", 2))
                .isEmpty();
        assertThat(GatewayBridge.BalancerConfig.absent("{port} {gateway-1}", 2)).contains("{gateway-2}");
        assertThat(GatewayBridge.BalancerConfig.absent("{gateway-1}", 1)).contains("{port}");
    }

    @Test
    void defaultBalancerConfigListsEveryServer() {
        for (GatewaySpec.Balancer balancer : List.of(GatewaySpec.Balancer.HAPROXY, GatewaySpec.Balancer.NGINX)) {
            assertThat(GatewayBridge.BalancerConfig.of(balancer, OWN, SERVERS))
                    .contains("127.0.0.1:7001", "127.0.0.1:7002", "10.77.0.2:9000");
        }
    }
}
