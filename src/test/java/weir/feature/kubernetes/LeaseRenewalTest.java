package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LeaseRenewalTest {
    private static final RunIdentity RUN = RunIdentity.of("x", "load-tests");

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    private LeaseRenewal begin(FakeApiServer server) {
        return new LeaseRenewal(
                new ConductorApi(
                        new KubernetesClientBuilder()
                                .withConfig(server.config())
                                .build(),
                        RUN),
                notes::add);
    }

    @Test
    void theLeaseIsRenewedFromTheBeginning() throws IOException {
        try (FakeApiServer server = new FakeApiServer()) {
            LeaseRenewal renewal = begin(server);
            while (server.asked("PATCH leases/weir-x").isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
            renewal.close();
        }
    }

    @Test
    void nobodyEndsARunBecauseOfItsLease() throws IOException {
        try (FakeApiServer server = new FakeApiServer()) {
            server.fail(403);
            LeaseRenewal renewal = begin(server);
            while (notes.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
            }
            renewal.close();
        }
        assertThat(notes.get(0))
                .startsWith("the lease of the run was not renewed: ")
                .contains("nothing at ");
    }
}
