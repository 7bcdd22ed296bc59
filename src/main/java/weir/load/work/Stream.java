package weir.load.work;

import weir.load.send.Outbox;
import weir.load.send.PhaseShare;
import weir.measure.Steps;

/** An operation reads one record, writes one, and commits the offset. */
public final class Stream implements Workload {
    private final Workload produce = new Produce();

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
        if (stint.step() == Steps.FILL) {
            produce.begin(stint, crew);
            return;
        }
        for (Outbox outbox : crew.outboxes()) {
            // One whose partitions hold more does more.
            outbox.begin(stint.dealTogether(outbox.producer() - crew.producers(), crew.producers()));
        }
    }
}
