package weir.load.workload;

import weir.load.send.PhaseShare;
import weir.measure.Steps;

/** An operation sends one record, which is read back at once, or when the readers have caught up with a backlog. */
public final class Deliver implements Workload {
    private final Workload produce = new Produce();

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public void begin(PhaseShare share, LoadParticipants participants) {
        produce.begin(share, participants);
        if (share.step() == Steps.MEASURE) {
            participants.inboxes().forEach(inbox -> inbox.beginAt(share.startNanos()));
        }
    }
}
