package weir.load.workload;

import weir.load.send.Outbox;
import weir.load.send.PhaseShare;

/** An operation sends one record. */
public final class Produce implements Workload {
    @Override
    public void begin(PhaseShare share, LoadParticipants participants) {
        for (Outbox outbox : participants.outboxes()) {
            outbox.begin(share.deal(outbox.producer(), participants.producers()));
        }
    }
}
