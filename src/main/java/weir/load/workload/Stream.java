package weir.load.workload;

import weir.load.send.Outbox;
import weir.load.send.PhaseShare;
import weir.measure.Steps;

/** An operation reads one record, writes one, and commits the offset. */
public final class Stream implements Workload {
    private final Workload produce = new Produce();

    @Override
    public void begin(PhaseShare share, LoadParticipants participants) {
        if (share.step() == Steps.FILL) {
            produce.begin(share, participants);
            return;
        }
        for (Outbox outbox : participants.outboxes()) {
            // One whose partitions hold more does more.
            outbox.begin(share.dealTogether(outbox.producer() - participants.producers(), participants.producers()));
        }
    }
}
