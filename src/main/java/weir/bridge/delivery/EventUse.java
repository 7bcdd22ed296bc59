package weir.bridge.delivery;

import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.event.MalformedEvent;
import weir.http.Refusal;

/** The use that a rung has for an event that came by HTTP. */
interface EventUse {
    /**
     * Takes an event, whose attributes are those that {@code reader} read last. The bytes of the body are in the budget until
     * the event is done with, or this throws.
     */
    void take(EventReader reader, byte[] data, RequestBody body, Reply reply, long inNanos)
            throws Refusal, MalformedEvent;
}
