package weir.feature.metrics;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A parser of the text formats of Prometheus (0.0.4 and 1.0.0) and OpenMetrics, line by line. It skips exemplars,
 * comments and unwanted names. It records whether a timestamp exists, but not the timestamp.
 */
final class ExpositionParser {
    private static final int LONGEST_LINE = 64 << 10;
    private static final int SHOWN = 60;

    private final Predicate<String> wanted;
    private final Consumer<Sample> out;
    private byte[] line = new byte[512];
    private int length;
    private long number = 1;
    private int at;

    ExpositionParser(Predicate<String> wanted, Consumer<Sample> out) {
        this.wanted = wanted;
        this.out = out;
    }

    void take(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                line();
            } else {
                if (length == LONGEST_LINE) {
                    throw new IOException("line " + number + " must have at most " + LONGEST_LINE + " bytes");
                }
                if (length == line.length) {
                    line = Arrays.copyOf(line, 2 * length);
                }
                line[length++] = next;
            }
        }
    }

    void end() throws IOException {
        if (length > 0) {
            line();
        }
    }

    private void line() throws IOException {
        if (length > 0 && line[length - 1] == '\r') {
            length--;
        }
        at = 0;
        blanks();
        if (at < length && line[at] != '#') {
            sample();
        }
        length = 0;
        number++;
    }

    private void sample() throws IOException {
        Map<String, String> labels = new HashMap<>();
        String name = "";
        if (line[at] != '{') {
            name = word();
            if (!wanted.test(name)) {
                return;
            }
            blanks();
        }
        if (at < length && line[at] == '{') {
            name = labels(name, labels);
        }
        double value = value();
        if (name.isEmpty()) {
            throw wrong();
        }
        blanks();
        boolean timed = at < length && line[at] != '#';
        if (wanted.test(name)) {
            out.accept(new Sample(name, labels, value, timed));
        }
    }

    private String word() throws IOException {
        int from = at;
        while (at < length && isWord(line[at])) {
            at++;
        }
        if (at == from) {
            throw wrong();
        }
        return text(from, at);
    }

    private static boolean isWord(byte c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '_'
                || c == ':'
                || c == '.';
    }

    /** Returns the name of the sample. Newer formats may have the name among the labels, in quotes. */
    private String labels(String before, Map<String, String> labels) throws IOException {
        String name = before;
        at++;
        blanks();
        while (at < length && line[at] != '}') {
            boolean quoted = line[at] == '"';
            String label = quoted ? quoted() : word();
            blanks();
            if (quoted && name.isEmpty() && (at == length || line[at] != '=')) {
                name = label;
            } else {
                expect('=');
                blanks();
                labels.put(label, quoted());
                blanks();
            }
            if (at < length && line[at] != '}') {
                expect(',');
                blanks();
            }
        }
        expect('}');
        return name;
    }

    private String quoted() throws IOException {
        expect('"');
        int from = at;
        boolean escaped = false;
        while (at < length && line[at] != '"') {
            escaped |= line[at] == '\\';
            at += line[at] == '\\' ? 2 : 1;
        }
        int to = at;
        if (to >= length) {
            throw wrong();
        }
        at++;
        return escaped ? unescaped(from, to) : text(from, to);
    }

    private String unescaped(int from, int to) {
        byte[] plain = new byte[to - from];
        int size = 0;
        for (int i = from; i < to; i++) {
            byte c = line[i];
            if (c == '\\') {
                i++;
                c = line[i] == 'n' ? (byte) '\n' : line[i];
            }
            plain[size++] = c;
        }
        return new String(plain, 0, size, StandardCharsets.UTF_8);
    }

    private double value() throws IOException {
        blanks();
        int from = at;
        while (at < length && line[at] != ' ' && line[at] != '\t') {
            at++;
        }
        String text = text(from, at);
        try {
            return switch (text) {
                case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                case "Nan" -> Double.NaN;
                default -> Double.parseDouble(text);
            };
        } catch (NumberFormatException e) {
            throw wrong();
        }
    }

    private void blanks() {
        while (at < length && (line[at] == ' ' || line[at] == '\t')) {
            at++;
        }
    }

    private void expect(char c) throws IOException {
        if (at >= length || line[at] != c) {
            throw wrong();
        }
        at++;
    }

    private String text(int from, int to) {
        return new String(line, from, to - from, StandardCharsets.UTF_8);
    }

    private IOException wrong() {
        String text = text(0, Math.min(length, SHOWN)).replaceAll("\\p{Cntrl}", "?");
        return new IOException("line " + number + " is not a metric: '" + text + (length > SHOWN ? "…" : "") + "'");
    }

    /**
     * @param value any double, including NaN and infinities
     * @param timed true if the line has a timestamp, as on pages of another collector
     */
    record Sample(String name, Map<String, String> labels, double value, boolean timed) {
        Sample {
            labels = Collections.unmodifiableMap(new TreeMap<>(labels));
        }

        String label(String label) {
            return labels.getOrDefault(label, "");
        }
    }
}
