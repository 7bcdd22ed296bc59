package weir.load.workload;

import weir.load.send.PhaseShare;

/** An operation writes one record to each topic, and is over when all of them are acked. */
public final class Write implements Workload {
    private final Workload produce = new Produce();

    @Override
    public void begin(PhaseShare share, LoadParticipants participants) {
        produce.begin(share, participants);
    }
}
