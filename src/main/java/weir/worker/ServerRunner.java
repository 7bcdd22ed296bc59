package weir.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.bridge.Gateway;
import weir.bridge.GatewaySettings;
import weir.bridge.HttpSink;
import weir.bridge.delivery.Rung;
import weir.measure.Reading;
import weir.plan.property.ResolvedSecrets;
import weir.plan.property.TokenSources;
import weir.probe.Probe;
import weir.probe.Probes;
import weir.probe.Readings;
import weir.probe.Sampler;

/** The part of a worker that runs as a server. */
final class ServerRunner {
    private final LongSupplier clock;
    private final Consumer<List<Reading>> readings;
    private Runnable retirement = () -> {};
    private Consumer<LinkMessages.Span> spans = span -> {};

    ServerRunner(LongSupplier clock, Consumer<List<Reading>> readings) {
        this.clock = clock;
        this.readings = readings;
    }

    void serve(ServerAssignment assignment, RedactedOutput log) {
        log.hide(assignment.secrets());
        try {
            if (assignment instanceof ServerAssignment.Gateway gateway) {
                log.hide(ResolvedSecrets.named(gateway.producer()));
                TokenSources.allow(gateway.producer());
                retirement = gateway(gateway)::close;
            } else if (assignment instanceof ServerAssignment.Sink sink) {
                retirement = HttpSink.start(sink.port())::close;
            } else if (assignment instanceof ServerAssignment.Rung rung) {
                log.hide(ResolvedSecrets.named(rung.settings().producer()));
                log.hide(ResolvedSecrets.named(rung.settings().consumer()));
                TokenSources.allow(rung.settings().producer());
                TokenSources.allow(rung.settings().consumer());
                retirement = rung(rung);
            } else {
                throw new AssertionError("a server of an unknown kind: " + assignment);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static Gateway gateway(ServerAssignment.Gateway assignment) throws IOException {
        return Gateway.start(new GatewaySettings(
                assignment.host(),
                assignment.port(),
                assignment.producer(),
                assignment.answer(),
                GatewaySettings.LIMITS,
                assignment.vouched(),
                "",
                Optional.empty()));
    }

    private Runnable rung(ServerAssignment.Rung assignment) throws IOException {
        Rung rung = Rung.start(assignment.settings(), clock);
        Sampler sampler = Sampler.inLooks(assignment.originNanos(), clock, readings);
        List<Probe> probes = new ArrayList<>(Probes.own());
        probes.add(new HopProbe(rung));
        sampler.watch(assignment.source(), probes);
        spans = span -> rung.tells(span.fromNanos(), span.toNanos());
        return () -> {
            rung.close();
            sampler.close();
        };
    }

    void span(LinkMessages.Span span) {
        spans.accept(span);
    }

    void retire() {
        retirement.run();
        retirement = () -> {};
    }

    record HopProbe(Rung rung) implements Probe {
        @Override
        public void look(Readings into) {
            rung.look(into::level);
        }
    }
}
