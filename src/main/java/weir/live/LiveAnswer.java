package weir.live;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The answer to a request. */
public sealed interface LiveAnswer {
    /** An answer that is there as a whole. Its bytes are not copied: nobody changes them any more. */
    // A record would say that bytes are equal only when they are the same array, and nobody asks.
    final class Whole implements LiveAnswer {
        private final int status;
        private final String type;
        private final SortedMap<String, String> headers;
        private final byte[] body;

        /**
         * An answer of this status.
         *
         * @param type the media type
         * @param headers beside those that every answer has
         */
        public Whole(int status, String type, SortedMap<String, String> headers, byte[] body) {
            this.status = status;
            this.type = type;
            this.headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
            this.body = body;
        }

        public int status() {
            return status;
        }

        public String type() {
            return type;
        }

        public SortedMap<String, String> headers() {
            return headers;
        }

        byte[] body() {
            return body;
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * Events from now on.
     *
     * @param after the event that the client has seen last; {@link EventStream#NONE} for one that has seen none
     */
    record Events(EventStream stream, long after) implements LiveAnswer {}

    /** An answer with a body of this type. */
    static Whole of(String type, byte[] body) {
        return new Whole(200, type, new TreeMap<>(), body);
    }

    /** One line that says why not, or what was done. */
    static Whole line(int status, String text) {
        return new Whole(
                status, "text/plain; charset=utf-8", new TreeMap<>(), (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
