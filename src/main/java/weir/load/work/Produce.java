package weir.load.work;

import weir.load.Crew;
import weir.load.Outbox;
import weir.load.Stint;
import weir.load.Workload;

/** An operation sends one record. */
public final class Produce implements Workload {
    @Override
    public boolean reads() {
        return false;
    }

    @Override
    public boolean readsBacklog() {
        return false;
    }

    @Override
    public void begin(Stint stint, Crew crew) {
        for (Outbox outbox : crew.outboxes()) {
            outbox.begin(stint.deal(outbox.producer(), crew.producers()));
        }
    }
}
