package weir.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.function.IntBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The context attributes of one CloudEvent as HTTP header lines, such as {@code ce-id: 17}. Values are percent-encoded
 * (HTTP binding 1.0.2, section 3.1.3.2). The attribute {@code datacontenttype} is the line {@code content-type}. One
 * thread owns and reuses the object.
 */
public final class EventAttributes {
    public static final String HTTP_PREFIX = "ce-";
    public static final String KAFKA_PREFIX = "ce_";

    public static final String CONTENT_TYPE = "content-type";

    public static final String SPEC_VERSION = "1.0";
    private static final String DATA_CONTENT_TYPE = "datacontenttype";
    private static final String[] REQUIRED = {"specversion", "id", "source", "type"};
    private static final String[] KNOWN = {
        "ce_specversion", "ce_id", "ce_source", "ce_type", "ce_time", "ce_subject", "ce_partitionkey", "ce_weirttl"
    };
    private static final byte[] HEXADECIMAL = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PREFIX = HTTP_PREFIX.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TYPE_NAME = CONTENT_TYPE.getBytes(StandardCharsets.US_ASCII);

    private byte[] lines = new byte[256];
    private int length;

    @FunctionalInterface
    public interface KafkaVisitor {
        void header(String name, byte[] value);
    }

    public void clear() {
        length = 0;
    }

    /** Returns an array whose first {@link #length} bytes are header lines of HTTP, with line ends. */
    @SuppressWarnings("EI_EXPOSE_REP")
    public byte[] lines() {
        return lines;
    }

    public int length() {
        return length;
    }

    public void copyFrom(byte[] others) {
        lines = Arrays.copyOf(others, Math.max(others.length, lines.length));
        length = others.length;
    }

    /** Replaces the attributes by those of an HTTP message, in either mode; returns the event's data. */
    public byte[] readHttp(
            @Nullable String contentType, Iterator<Map.Entry<CharSequence, CharSequence>> headers, byte[] body)
            throws MalformedEvent {
        clear();
        byte[] data = body;
        if (contentType != null && StructuredEvent.is(contentType)) {
            data = StructuredEvent.read(contentType, body, this);
        } else {
            while (headers.hasNext()) {
                Map.Entry<CharSequence, CharSequence> header = headers.next();
                fromHttp(header.getKey(), header.getValue());
            }
        }
        check();
        return data;
    }

    /** Adds a header of an HTTP request in binary mode, if it is an attribute. */
    public void fromHttp(CharSequence name, CharSequence value) throws MalformedEvent {
        boolean type = equalsIgnoringCase(name, CONTENT_TYPE);
        if (type || (name.length() >= HTTP_PREFIX.length() && startsIgnoringCase(name, HTTP_PREFIX))) {
            begin(type ? DATA_CONTENT_TYPE : name, type ? 0 : HTTP_PREFIX.length());
            raw(value);
            end();
        }
    }

    /** Adds a header of a Kafka record in binary mode, if it is an attribute; its value is UTF-8. */
    public void fromKafka(String name, byte @Nullable [] value) throws MalformedEvent {
        boolean type = name.equals(CONTENT_TYPE);
        if (value != null && (type || name.startsWith(KAFKA_PREFIX))) {
            begin(type ? DATA_CONTENT_TYPE : name, type ? 0 : KAFKA_PREFIX.length());
            for (byte each : value) {
                encoded(each, !type);
            }
            end();
        }
    }

    public void set(String name, String value) throws MalformedEvent {
        begin(name, 0);
        boolean type = name.equals(DATA_CONTENT_TYPE);
        for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
            encoded(each, !type);
        }
        end();
    }

    /** Sets or replaces an attribute, by its name in the specification. */
    public void replace(String name, String value) throws MalformedEvent {
        int at = valueAt(name);
        if (at >= 0) {
            int line = lineOf(at);
            int next = endOf(at) + 2;
            System.arraycopy(lines, next, lines, line, length - next);
            length -= next - line;
        }
        set(name, value);
    }

    private int lineOf(int value) {
        int line = value;
        while (line > 0 && lines[line - 1] != '\n') {
            line--;
        }
        return line;
    }

    /** Throws for another version of the specification, and for a missing or empty required attribute. */
    public void check() throws MalformedEvent {
        for (String name : REQUIRED) {
            int at = valueAt(name);
            if (at < 0) {
                throw new MalformedEvent("the event has no attribute '" + name + "'");
            }
            if (lines[at] == '\r') {
                throw new MalformedEvent("the attribute '" + name + "' is empty");
            }
        }
        String version = value("specversion");
        if (!SPEC_VERSION.equals(version)) {
            throw new MalformedEvent("the event has specversion " + version + "; supported is " + SPEC_VERSION);
        }
    }

    /** Returns an attribute's decoded value; null if the event has no such attribute. */
    public @Nullable String value(String name) {
        int at = valueAt(name);
        return at < 0 ? null : decoded(name, at, endOf(at));
    }

    /** Copies a value that needs no decoding; returns its length, or -1 if it is missing or longer than the array. */
    public int copy(String name, byte[] into) {
        int at = valueAt(name);
        int bytes = at < 0 ? -1 : endOf(at) - at;
        if (bytes > into.length) {
            return -1;
        }
        if (bytes > 0) {
            System.arraycopy(lines, at, into, 0, bytes);
        }
        return bytes;
    }

    public void visitKafka(KafkaVisitor visitor) {
        for (int line = 0; line < length; ) {
            int colon = colon(line);
            int end = endOf(colon);
            boolean type = isType(line);
            visitor.header(type ? CONTENT_TYPE : kafkaName(line + PREFIX.length, colon), plain(type, colon + 2, end));
            line = end + 2;
        }
    }

    private String kafkaName(int from, int to) {
        for (String known : KNOWN) {
            if (known.length() - KAFKA_PREFIX.length() == to - from && ends(known, from)) {
                return known;
            }
        }
        return KAFKA_PREFIX + new String(lines, from, to - from, StandardCharsets.US_ASCII);
    }

    private boolean ends(String known, int from) {
        for (int i = KAFKA_PREFIX.length(); i < known.length(); i++) {
            if (lines[from + i - KAFKA_PREFIX.length()] != known.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private byte[] plain(boolean type, int from, int to) {
        return isPlain(from, to)
                ? Arrays.copyOfRange(lines, from, to)
                : decoded(type ? DATA_CONTENT_TYPE : "", from, to).getBytes(StandardCharsets.UTF_8);
    }

    private boolean isPlain(int from, int to) {
        for (int at = from; at < to; at++) {
            byte each = lines[at];
            if (each == '%' || each == '"' || each < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Compares a part of an attribute's decoded value with these bytes; false if the event has no such attribute.
     *
     * @param start the start of the part, from the lengths of the value and of {@code wanted}; negative for no part
     */
    public boolean has(String name, byte[] wanted, IntBinaryOperator start) {
        int at = valueAt(name);
        if (at < 0) {
            return false;
        }
        int end = endOf(at);
        boolean plain = isPlain(at, end);
        byte[] bytes = plain ? lines : plain(name.equals(DATA_CONTENT_TYPE), at, end);
        int from = start.applyAsInt(plain ? end - at : bytes.length, wanted.length);
        int begin = plain ? at + from : from;
        return from >= 0 && Arrays.equals(bytes, begin, begin + wanted.length, wanted, 0, wanted.length);
    }

    /** Returns an attribute's value as UTF-8; null if the event has no such attribute. */
    public byte @Nullable [] bytes(String name) {
        int at = valueAt(name);
        return at < 0 ? null : plain(name.equals(DATA_CONTENT_TYPE), at, endOf(at));
    }

    private String name(int line) {
        int colon = colon(line);
        return isType(line)
                ? DATA_CONTENT_TYPE
                : new String(lines, line + PREFIX.length, colon - line - PREFIX.length, StandardCharsets.US_ASCII);
    }

    private boolean isType(int line) {
        return Arrays.equals(lines, line, colon(line), TYPE_NAME, 0, TYPE_NAME.length);
    }

    private int colon(int line) {
        int at = line;
        while (lines[at] != ':') {
            at++;
        }
        return at;
    }

    private int endOf(int value) {
        int at = value;
        while (lines[at] != '\r') {
            at++;
        }
        return at;
    }

    private int valueAt(String name) {
        for (int line = 0; line < length; ) {
            int colon = colon(line);
            if (named(line, colon, name)) {
                return colon + 2;
            }
            line = endOf(colon) + 2;
        }
        return -1;
    }

    private boolean named(int line, int colon, String name) {
        if (name.equals(DATA_CONTENT_TYPE)) {
            return isType(line);
        }
        int from = line + PREFIX.length;
        if (colon - from != name.length() || lines[line] != 'c' || lines[line + 2] != '-') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (lines[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Writes the name in lower case; the specification allows only letters and digits (section 3.1). */
    private void begin(CharSequence name, int from) throws MalformedEvent {
        int line = length;
        if (from == 0 && DATA_CONTENT_TYPE.contentEquals(name)) {
            bytes(TYPE_NAME);
        } else {
            bytes(PREFIX);
            for (int i = from; i < name.length(); i++) {
                char letter = name.charAt(i);
                char lower = letter >= 'A' && letter <= 'Z' ? (char) (letter + 32) : letter;
                if ((lower < 'a' || lower > 'z') && (lower < '0' || lower > '9')) {
                    throw new MalformedEvent("the name of an attribute has letters and digits only");
                }
                one((byte) lower);
            }
            if (name.length() == from) {
                throw new MalformedEvent("an attribute has no name");
            }
        }
        one((byte) ':');
        one((byte) ' ');
        refuseAnother(line);
    }

    private void refuseAnother(int line) throws MalformedEvent {
        int head = length - line;
        for (int other = 0; other < line; other = endOf(colon(other)) + 2) {
            if (other + head <= line && Arrays.equals(lines, other, other + head, lines, line, length)) {
                throw new MalformedEvent("the attribute '" + name(line) + "' occurs twice");
            }
        }
    }

    private void end() {
        one((byte) '\r');
        one((byte) '\n');
    }

    private void raw(CharSequence value) throws MalformedEvent {
        for (int i = 0; i < value.length(); i++) {
            char letter = value.charAt(i);
            if ((letter < ' ' && letter != '\t') || letter > 255 || letter == 127) {
                throw new MalformedEvent("the value of an attribute has a control character");
            }
            one((byte) letter);
        }
    }

    private void encoded(byte each, boolean strictly) throws MalformedEvent {
        boolean printable = each > ' ' && each < 127;
        if ((printable && each != '"' && each != '%') || (!strictly && (printable || each == ' '))) {
            one(each);
        } else if (!strictly) {
            throw new MalformedEvent("the content type is not ASCII");
        } else {
            one((byte) '%');
            one(HEXADECIMAL[(each >> 4) & 15]);
            one(HEXADECIMAL[each & 15]);
        }
    }

    /** Decodes percent-encoded letters, and removes double quotes with their backslashes (section 3.1.3.2). */
    private String decoded(String name, int from, int to) {
        if (name.equals(DATA_CONTENT_TYPE)) {
            return new String(lines, from, to - from, StandardCharsets.ISO_8859_1);
        }
        int begin = from;
        int end = to;
        boolean quoted = end - begin >= 2 && lines[begin] == '"' && lines[end - 1] == '"';
        if (quoted) {
            begin++;
            end--;
        }
        byte[] plain = new byte[end - begin];
        int written = 0;
        for (int at = begin; at < end; at++) {
            byte each = lines[at];
            if (each == '\\' && quoted && at + 1 < end) {
                at++;
                plain[written++] = lines[at];
            } else if (each == '%' && at + 2 < end && digit(lines[at + 1]) >= 0 && digit(lines[at + 2]) >= 0) {
                plain[written++] = (byte) (digit(lines[at + 1]) << 4 | digit(lines[at + 2]));
                at += 2;
            } else {
                plain[written++] = each;
            }
        }
        return new String(plain, 0, written, StandardCharsets.UTF_8);
    }

    private static int digit(byte letter) {
        return Character.digit((char) letter, 16);
    }

    private static boolean equalsIgnoringCase(CharSequence name, String lower) {
        return name.length() == lower.length() && startsIgnoringCase(name, lower);
    }

    static boolean startsIgnoringCase(CharSequence name, String lower) {
        for (int i = 0; i < lower.length(); i++) {
            char letter = name.charAt(i);
            if (letter != lower.charAt(i) && (letter < 'A' || letter > 'Z' || letter + 32 != lower.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private void bytes(byte[] some) {
        for (byte each : some) {
            one(each);
        }
    }

    private void one(byte each) {
        if (length == lines.length) {
            lines = Arrays.copyOf(lines, 2 * length);
        }
        lines[length++] = each;
    }
}
