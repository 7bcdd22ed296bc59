package weir.run.disturbance;

import weir.cluster.ClusterUnavailable;
import weir.cluster.admin.OutsideView;
import weir.measure.DisturbanceReadings;
import weir.run.lab.Lab;

/**
 * An outside view of a disturbed broker, ten times a second: it notes when others lead all its partitions and,
 * afterwards, when its replicas are in sync, in seconds since the begin and since the end.
 */
final class BrokerWatch {
    private static final long EVERY_NANOS = 100_000_000;
    private static final double SECOND = 1e9;

    /** Without an answer, no other broker has taken over and nothing is in sync. */
    private static final OutsideView.Standing UNKNOWN = new OutsideView.Standing(1, 1);

    private final Lab lab;
    private final OutsideView view;
    private final TrialNotes notes;
    private final String source;
    private long since;
    private boolean ended;
    private boolean looking;
    private boolean over;

    BrokerWatch(Lab lab, OutsideView view, TrialNotes notes, String source) {
        this.lab = lab;
        this.view = view;
        this.notes = notes;
        this.source = source;
    }

    /** Starts when the disturbance begins or, with {@code after}, when its undoing begins. */
    synchronized void look(boolean after, long nanos) {
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
        OutsideView.Standing standing;
        try {
            standing = view.standing();
        } catch (ClusterUnavailable nobodyAnswers) {
            standing = UNKNOWN;
        }
        synchronized (this) {
            if (!over && after == ended && (after ? standing.lags() : standing.leads()) == 0) {
                String metric = after ? DisturbanceReadings.IN_SYNC : DisturbanceReadings.TAKEN_OVER;
                notes.reading(source, metric, (lab.nanos() - since) / SECOND);
                looking = false;
            } else if (!over) {
                again();
            }
        }
    }

    void close() {
        synchronized (this) {
            over = true;
        }
        view.close();
    }
}
