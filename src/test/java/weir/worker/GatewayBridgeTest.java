package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.host.FakeMachine;
import weir.plan.BridgeSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

class GatewayBridgeTest {
    private static final Path ABSENT = Path.of("");

    @Test
    void balancersThatAreNotHereAreNamedWithTheirPackages() {
        List<BridgeSpec.Balancer> chain =
                List.of(BridgeSpec.Balancer.NGINX, BridgeSpec.Balancer.HAPROXY, BridgeSpec.Balancer.NGINX);
        BridgeSpec.Gateway asked = new BridgeSpec.Gateway(
                1, BridgeSpec.Answer.ACKED, Limits.NONE, Collections.emptySortedMap(), chain, ABSENT, PlacedSpec.HERE);
        assertThat(GatewayBridge.missing(asked, FakeMachine.large())).isEmpty();
        assertThat(GatewayBridge.missing(asked, FakeMachine.large().without("nginx")))
                .containsExactly("balancer needs the program nginx, which is not on the PATH: apt install nginx");
    }
}
