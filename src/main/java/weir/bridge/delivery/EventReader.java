package weir.bridge.delivery;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;
import weir.event.StructuredEvent;

/** Takes events out of requests. Belongs to one thread. */
final class EventReader {
    /** The letters of an identity, of which the last sixteen are the time when the event was due. */
    private static final int IDENTITY = 48;

    private static final int DUE = 32;
    private static final int NO_DIGIT = -1;

    private final EventAttributes attributes = new EventAttributes();
    private final byte[] id = new byte[IDENTITY];

    /** The attributes of the event that was read last. */
    EventAttributes attributes() {
        return attributes;
    }

    /** Reads an event in either mode; returns its data. */
    byte[] read(HttpHeaders headers, byte[] body) throws MalformedEvent {
        attributes.clear();
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        byte[] data = body;
        if (type != null && StructuredEvent.is(type)) {
            data = StructuredEvent.read(type, body, attributes);
        } else {
            Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
            while (all.hasNext()) {
                Map.Entry<CharSequence, CharSequence> header = all.next();
                attributes.fromHttp(header.getKey(), header.getValue());
            }
        }
        attributes.check();
        return data;
    }

    /** The event of the present attributes. */
    CarriedEvent event(byte[] data, int holders) {
        return new CarriedEvent(Arrays.copyOf(attributes.lines(), attributes.length()), data, due(), holders);
    }

    /** When the event was due, of which its id tells if it is an identity of ours; {@link CarriedEvent#NO_TIME} if not. */
    long due() {
        if (attributes.copy("id", id) != IDENTITY) {
            return CarriedEvent.NO_TIME;
        }
        long due = 0;
        for (int i = 0; i < IDENTITY; i++) {
            int digit = digit(id[i]);
            if (digit == NO_DIGIT) {
                return CarriedEvent.NO_TIME;
            }
            // The last sixteen push out whatever was before them.
            due = i < DUE ? 0 : due << 4 | digit;
        }
        return due;
    }

    private static int digit(byte letter) {
        if (letter >= '0' && letter <= '9') {
            return letter - '0';
        }
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : NO_DIGIT;
    }
}
