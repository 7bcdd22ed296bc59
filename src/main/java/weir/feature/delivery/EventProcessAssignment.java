package weir.feature.delivery;

import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongSupplier;
import weir.plan.property.ResolvedSecrets;
import weir.worker.ServerAssignment;

record EventProcessAssignment(EventProcessSettings settings, String source, long originNanos, ResolvedSecrets secrets)
        implements ServerAssignment {
    @Override
    public int port() {
        return settings.port();
    }

    @Override
    public List<SortedMap<String, String>> clients() {
        return List.of(settings.producer(), settings.consumer());
    }

    @Override
    public Server serve(LongSupplier clock) throws IOException {
        return EventProcess.start(settings, clock);
    }

    @Override
    public String toString() {
        return settings.toString();
    }
}
