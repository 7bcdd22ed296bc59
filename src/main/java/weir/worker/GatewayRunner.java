package weir.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import weir.bridge.Gateway;
import weir.bridge.GatewaySettings;
import weir.bridge.HttpSink;
import weir.bridge.RequestLimits;
import weir.plan.property.ResolvedSecrets;

/** The side of a worker that is a gateway. */
final class GatewayRunner {
    private static final String LOOPBACK = "127.0.0.1";

    private Runnable retirement = () -> {};

    /** Returns when it can be connected to. */
    void serve(GatewayAssignment assignment, RedactedOutput log) {
        log.hide(assignment.secrets());
        log.hide(ResolvedSecrets.named(assignment.producer()));
        try {
            retirement = assignment.sink() ? HttpSink.start(assignment.port())::close : gateway(assignment)::close;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static Gateway gateway(GatewayAssignment assignment) throws IOException {
        return Gateway.start(new GatewaySettings(
                LOOPBACK,
                assignment.port(),
                assignment.producer(),
                assignment.answer(),
                RequestLimits.DEFAULT,
                "",
                Optional.empty()));
    }

    /** Takes nothing more, and answers what it has. */
    void retire() {
        retirement.run();
        retirement = () -> {};
    }
}
