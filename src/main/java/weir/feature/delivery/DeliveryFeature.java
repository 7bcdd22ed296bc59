package weir.feature.delivery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import weir.feature.Feature;
import weir.host.Children;
import weir.judge.caveat.FeatureCaveats;
import weir.measure.LoadListener;
import weir.worker.Bridge;
import weir.worker.EventPath;
import weir.worker.RungSettings;
import weir.worker.RungsAssignment;

/** The processes that an event passes on its way: ingress, channel, filter and source. */
public final class DeliveryFeature implements Feature, EventPath {
    @Override
    public List<EventPath> eventPaths() {
        return List.of(this);
    }

    @Override
    public List<FeatureCaveats> caveats() {
        return List.of(new DeliveryCaveats());
    }

    @Override
    public Bridge start(Children children, RungsAssignment assignment, Path folder, LoadListener listener) {
        return LocalRungs.start(children, assignment, folder, listener);
    }

    @Override
    public Hop serve(RungSettings settings, LongSupplier clock) throws IOException {
        return Rung.start(settings, clock);
    }
}
