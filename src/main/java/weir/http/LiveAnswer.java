package weir.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** An answer to a request: complete, or a stream of events. */
public sealed interface LiveAnswer {
    /** A complete answer, whose bytes must not change because they are not copied. */
    // Not a record: its equals would compare the array by identity.
    final class Whole implements LiveAnswer {
        private final int status;
        private final String type;
        private final SortedMap<String, String> headers;
        private final byte[] body;
        private final byte @Nullable [] packed;

        /** @param headers additional headers; every answer has some headers of its own */
        public Whole(int status, String type, SortedMap<String, String> headers, byte[] body) {
            this(status, type, headers, body, null);
        }

        private Whole(
                int status, String type, SortedMap<String, String> headers, byte[] body, byte @Nullable [] packed) {
            this.status = status;
            this.type = type;
            this.headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
            this.body = body;
            this.packed = packed;
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

        byte[] packed() {
            return packed == null ? gzip(body) : packed;
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
