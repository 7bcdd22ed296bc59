package weir.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import weir.bridge.Gateway;
import weir.bridge.GatewaySettings;
import weir.bridge.HttpSink;
import weir.bridge.RequestLimits;
import weir.plan.property.ResolvedSecrets;

/** The side of a worker that is a gateway. */
final class GatewayRunner {
    private static final String LOOPBACK = "127.0.0.1";

    private @Nullable Gateway gateway;
    private @Nullable HttpSink sink;

    /** Returns when it can be connected to. */
    void serve(GatewayAssignment assignment, RedactedOutput log) {
        log.hide(assignment.secrets());
        log.hide(ResolvedSecrets.named(assignment.producer()));
        try {
            if (assignment.sink()) {
                sink = HttpSink.start(assignment.port());
                return;
            }
            gateway = Gateway.start(new GatewaySettings(
                    LOOPBACK,
                    assignment.port(),
                    assignment.producer(),
                    assignment.answer(),
                    RequestLimits.DEFAULT,
                    "",
                    Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Takes nothing more, and answers what it has. */
    void retire() {
        Gateway serving = gateway;
        gateway = null;
        if (serving != null) {
            serving.close();
        }
        HttpSink acknowledging = sink;
        sink = null;
        if (acknowledging != null) {
            acknowledging.close();
        }
    }
}
