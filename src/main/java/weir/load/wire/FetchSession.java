package weir.load.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import weir.wire.FetchRequest;

/**
 * The memory that a broker keeps of the partitions that one reader fetches from it: a request names only those whose
 * offset is another. A single partition needs none.
 */
final class FetchSession {
    private static final short FIRST_VERSION = 7;
    private static final short FIRST_VERSION_WITH_IDS = 13;

    private final FetchRequest request;
    private final FetchSettings settings;
    private final List<FetchPosition> members = new ArrayList<>();
    private final List<FetchPosition> changed = new ArrayList<>();
    private int id;
    private int epoch;

    FetchSession(FetchRequest request, FetchSettings settings) {
        this.request = request;
        this.settings = settings;
    }

    /** The highest version in which all of these can be asked for. */
    static short version(short spoken, List<FetchPosition> readings) {
        boolean ids = true;
        for (int i = 0; i < readings.size(); i++) {
            ids &= readings.get(i).topic.hasId();
        }
        return ids ? spoken : (short) Math.min(spoken, FIRST_VERSION_WITH_IDS - 1);
    }

    /** The next request is about these; from now on they are asked for where they go on. */
    ByteBuffer ask(short version, int correlation, List<FetchPosition> readings) {
        boolean same = id != FetchRequest.NO_SESSION && members.equals(readings);
        if (!same) {
            members.clear();
            members.addAll(readings);
            epoch = FetchRequest.NEW_EPOCH;
        }
        changed.clear();
        for (int i = 0; i < members.size(); i++) {
            FetchPosition one = members.get(i);
            one.asked = one.through;
            if (!same || one.asked != one.sessionOffset || one.leaderEpoch != one.sessionLeaderEpoch) {
                changed.add(one);
                one.sessionOffset = one.asked;
                one.sessionLeaderEpoch = one.leaderEpoch;
            }
        }
        boolean alone = members.size() == 1 || version < FIRST_VERSION;
        if (alone) {
            request.begin(
                    version, correlation, settings.limits(), FetchRequest.NO_SESSION, FetchRequest.NO_EPOCH, topics());
        } else {
            request.begin(version, correlation, settings.limits(), id, epoch, topics());
        }
        write();
        return request.end();
    }

    /** The readings of one topic stand together. */
    private int topics() {
        int topics = 0;
        for (int i = 0; i < changed.size(); i++) {
            topics += i == 0 || topic(i) != topic(i - 1) ? 1 : 0;
        }
        return topics;
    }

    private int topic(int which) {
        return changed.get(which).partition.topic();
    }

    private void write() {
        for (int first = 0; first < changed.size(); ) {
            int behind = first;
            while (behind < changed.size() && topic(behind) == topic(first)) {
                behind++;
            }
            request.topic(changed.get(first).topic, behind - first);
            for (int i = first; i < behind; i++) {
                FetchPosition one = changed.get(i);
                request.partition(
                        one.partition.number(), one.leaderEpoch, one.asked, one.lastEpoch, settings.partitionBytes());
            }
            first = behind;
        }
    }

    /** A request of it was answered; the broker may have made a session, or not. */
    void answered(int sessionId) {
        id = sessionId;
        epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
    }

    /** The broker knows it no more, or is another one. */
    void forget() {
        id = FetchRequest.NO_SESSION;
        epoch = FetchRequest.NEW_EPOCH;
    }

    /** Returns the positions of the last request. */
    List<FetchPosition> members() {
        return members;
    }
}
