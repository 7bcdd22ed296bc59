package weir.run.disturbance;

import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.OutsideView;
import weir.measure.DisturbanceReadings;
import weir.run.lab.Lab;

/**
 * A look at a disturbed broker from outside, ten times a second: when the others lead all that it led, and, after the
 * disturbance, when its replicas are in sync again. Both are noted in seconds, since the begin and since the end.
 */
final class BrokerWatch implements AutoCloseable {
    private static final long EVERY_NANOS = 100_000_000;
    private static final double SECOND = 1e9;

    /** Nobody answers, so nobody has taken over, and nothing is in sync. */
    private static final OutsideView.Standing UNKNOWN = new OutsideView.Standing(1, 1);

    private final Lab lab;
    private final OutsideView view;
    private final TrialNotes notes;
    private final String source;
    private long since;
    private boolean ended;
    private boolean looking;
    private boolean over;

    BrokerWatch(Lab lab, OutsideView view, TrialNotes notes, String disturbance) {
        this.lab = lab;
        this.view = view;
        this.notes = notes;
        this.source = DisturbanceReadings.ofFault(disturbance);
    }

    /** The disturbance begins now. */
    void begin() {
        look(false, lab.nanos());
    }

    /** It began to be undone at this time, and is now. */
    void end(long nanos) {
        look(true, nanos);
    }

    private synchronized void look(boolean after, long nanos) {
        since = nanos;
        ended = after;
        if (!looking) {
            looking = true;
            again();
        }
    }

    private void again() {
        var unused = lab.at(lab.nanos() + EVERY_NANOS, this::look);
    }

    private void look() {
        boolean after;
        synchronized (this) {
            after = ended;
        }
        judge(standing(), after);
    }

    private OutsideView.Standing standing() {
        try {
            return view.standing();
        } catch (ClusterUnavailable nobodyAnswers) {
            return UNKNOWN;
        }
    }

    /** @param after whether it was asked for after the disturbance */
    private synchronized void judge(OutsideView.Standing standing, boolean after) {
        if (over) {
            return;
        }
        if (after == ended && (after ? standing.lags() : standing.leads()) == 0) {
            String metric = after ? DisturbanceReadings.IN_SYNC : DisturbanceReadings.TAKEN_OVER;
            notes.reading(source, metric, (lab.nanos() - since) / SECOND);
            looking = false;
        } else {
            again();
        }
    }

    /** Nothing is noted any more. */
    @Override
    public void close() {
        synchronized (this) {
            over = true;
        }
        view.close();
    }
}
