package weir.bridge.delivery;

import org.jspecify.annotations.Nullable;

/**
 * Calls in the order of their deadlines, which is that in which they were begun, as all have the same time. One that is over
 * leaves from any place at once: it would hold its event.
 */
final class CallList {
    private @Nullable EventCall first;
    private @Nullable EventCall last;

    @Nullable EventCall first() {
        return first;
    }

    void add(EventCall call) {
        EventCall before = last;
        call.before = before;
        if (before == null) {
            first = call;
        } else {
            before.after = call;
        }
        last = call;
    }

    void remove(EventCall call) {
        EventCall before = call.before;
        EventCall after = call.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
    }
}
