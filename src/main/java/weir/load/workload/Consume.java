package weir.load.workload;

import weir.load.read.Inbox;
import weir.load.send.PhaseShare;
import weir.measure.Steps;

/** An operation reads one record of a backlog that was written before. */
public final class Consume implements Workload {
    private final Workload produce = new Produce();

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public boolean readsBacklog() {
        return true;
    }

    @Override
    public void begin(PhaseShare share, LoadParticipants participants) {
        if (share.step() == Steps.FILL) {
            produce.begin(share, participants);
            return;
        }
        for (Inbox inbox : participants.inboxes()) {
            // A reader whose partitions hold more reads more.
            inbox.begin(share.dealFreely(inbox.reader(), participants.readers()));
        }
    }
}
