package weir.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.BridgeSpec;
import weir.plan.Limits;
import weir.plan.PlacedSpec;

class LocalBridgeTest {
    private static final Path ABSENT = Path.of("");

    @Test
    void balancersThatAreNotHereAreNamedWithTheirPackages() {
        List<BridgeSpec.Balancer> chain =
                List.of(BridgeSpec.Balancer.NGINX, BridgeSpec.Balancer.HAPROXY, BridgeSpec.Balancer.NGINX);
        BridgeSpec.Gateway asked = new BridgeSpec.Gateway(
                1, BridgeSpec.Answer.ACKED, Limits.NONE, Collections.emptySortedMap(), chain, ABSENT, PlacedSpec.HERE);
        assertThat(LocalBridge.missing(asked, name -> Path.of("/usr/sbin", name)))
                .isEmpty();
        assertThat(LocalBridge.missing(asked, name -> name.equals("nginx") ? ABSENT : Path.of("/usr/sbin", name)))
                .containsExactly("balancer needs the program nginx, which is not on the PATH: apt install nginx");
    }
}
