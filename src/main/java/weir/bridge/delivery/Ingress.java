package weir.bridge.delivery;

import java.util.function.LongSupplier;
import weir.bridge.http.Reply;
import weir.bridge.http.RequestBody;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.http.Refusal;

/** The entrance of a broker. It counts how many brokers an event may still pass, so that loops end. */
final class Ingress implements EventUse {
    private static final String TTL = "weirttl";

    private final NextHop next;
    private final RungFigures figures;
    private final String first;
    private final LongSupplier clock;

    /** {@code ttl}: brokers that an event may pass which has not passed any. */
    Ingress(NextHop next, RungFigures figures, int ttl, LongSupplier clock) {
        this.next = next;
        this.figures = figures;
        this.first = String.valueOf(ttl);
        this.clock = clock;
    }

    @Override
    public void take(EventReader reader, byte[] data, RequestBody body, Reply reply, long inNanos)
            throws Refusal, MalformedEvent {
        EventAttributes attributes = reader.attributes();
        String before = attributes.value(TTL);
        if (before == null) {
            attributes.set(TTL, first);
        } else {
            attributes.replace(TTL, String.valueOf(left(before) - 1));
        }
        CarriedEvent event = reader.event(data, 1);
        long ready = clock.getAsLong();
        figures.took(RungFigures.Part.ACCEPTING, event, ready - inNanos);
        next.send(event, body, reply, inNanos, ready);
    }

    private static int left(String ttl) throws Refusal {
        try {
            int left = Integer.parseInt(ttl);
            if (left > 0) {
                return left;
            }
        } catch (NumberFormatException e) {
            throw Refusal.bad("the attribute '" + TTL + "' is '" + ttl + "', and no number");
        }
        throw Refusal.bad("the event has passed as many brokers as it may: its '" + TTL + "' is " + ttl);
    }
}
