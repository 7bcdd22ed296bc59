package weir.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** An answer to a request: complete, or a stream of events. */
public sealed interface LiveAnswer {
    /**
     * A complete answer, whose bytes must not change because they are not copied.
     *
     * @param headers additional headers; every answer has some headers of its own
     * @param packed the body as gzip; empty if the server packs the body when a client accepts gzip
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Whole(int status, String type, SortedMap<String, String> headers, byte[] body, byte[] packed)
            implements LiveAnswer {
        public Whole {
            headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
        }

        public Whole(int status, String type, SortedMap<String, String> headers, byte[] body) {
            this(status, type, headers, body, new byte[0]);
        }

        byte[] gzip() {
            return packed.length == 0 ? gzip(body) : packed;
        }

        private static byte[] gzip(byte[] bytes) {
            ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
            try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
                zip.write(bytes);
            } catch (IOException e) {
                throw new UncheckedIOException("packing in memory", e);
            }
            return out.toByteArray();
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** A stream of events; {@code after} is the client's last event number, or {@link EventStream#NONE}. */
    record Events(EventStream stream, long after) implements LiveAnswer {}

    static Whole packed(String type, byte[] body) {
        return new Whole(200, type, new TreeMap<>(), body, Whole.gzip(body));
    }

    static Whole line(int status, String text) {
        return new Whole(
                status, "text/plain; charset=utf-8", new TreeMap<>(), (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
