package weir.load.work;

import weir.load.send.Outbox;
import weir.load.send.PhaseShare;

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
    public void begin(PhaseShare stint, LoadParticipants crew) {
        for (Outbox outbox : crew.outboxes()) {
            outbox.begin(stint.deal(outbox.producer(), crew.producers()));
        }
    }
}
