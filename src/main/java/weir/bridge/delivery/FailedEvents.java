package weir.bridge.delivery;

import java.util.Arrays;
import java.util.Base64;
import weir.event.EventAttributes;
import weir.event.MalformedEvent;

/**
 * Makes dead letters: events with the attributes that Knative gives them, because that is what readers of dead letters look
 * for. Their data is the beginning of the last answer in base64.
 */
final class FailedEvents {
    private static final String DESTINATION = "knativeerrordest";
    private static final String CODE = "knativeerrorcode";
    private static final String DATA = "knativeerrordata";
    /** As Knative has it: letters of base64. */
    private static final int MOST_DATA = 1_024;
    /** As Knative has it for a subscriber that did not answer. */
    private static final int NO_ANSWER = 500;

    private final String destination;

    FailedEvents(String destination) {
        this.destination = destination;
    }

    CarriedEvent of(CarriedEvent event, Outcome outcome) {
        EventAttributes attributes = new EventAttributes();
        try {
            attributes.copyFrom(event.lines());
            attributes.replace(DESTINATION, destination);
            attributes.replace(CODE, String.valueOf(outcome.status() > 0 ? outcome.status() : NO_ANSWER));
            String data = Base64.getEncoder().encodeToString(outcome.body());
            attributes.replace(DATA, data.substring(0, Math.min(data.length(), MOST_DATA)));
        } catch (MalformedEvent e) {
            throw new IllegalStateException("an event that was read cannot be written: " + e.getMessage(), e);
        }
        byte[] lines = Arrays.copyOf(attributes.lines(), attributes.length());
        return new CarriedEvent(lines, event.data(), event.dueNanos(), 1);
    }
}
