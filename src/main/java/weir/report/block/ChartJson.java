package weir.report.block;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Figures and names for the page's script, with escapes for HTML. */
public final class ChartJson {
    private final StringBuilder out = new StringBuilder(1 << 16);
    private final Deque<Character> ends = new ArrayDeque<>();
    private boolean comma;

    public ChartJson object() {
        return begin('{', '}');
    }

    public ChartJson array() {
        return begin('[', ']');
    }

    private ChartJson begin(char start, char end) {
        separate();
        out.append(start);
        ends.push(end);
        comma = false;
        return this;
    }

    public ChartJson end() {
        out.append(ends.pop());
        comma = true;
        return this;
    }

    public ChartJson name(String name) {
        value(name);
        out.append(':');
        comma = false;
        return this;
    }

    private void separate() {
        if (comma) {
            out.append(',');
        }
        comma = true;
    }

    public ChartJson value(String text) {
        separate();
        out.append('"');
        text.codePoints().forEach(c -> {
            if (c < 0x80 && c >= ' ' && "<>&\"'\\".indexOf(c) < 0) {
                out.append((char) c);
            } else if (Html.unseen(c)) {
                // The escape shows the character without its effect on the text.
                out.append(String.format(Locale.ROOT, "\\\\u%04X", c));
            } else {
                for (char half : Character.toChars(c)) {
                    out.append(String.format(Locale.ROOT, "\\u%04x", (int) half));
                }
            }
        });
        out.append('"');
        return this;
    }

    public ChartJson value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    public ChartJson value(long value) {
        separate();
        out.append(value);
        return this;
    }

    /** Writes a time in seconds, exact to the millisecond. */
    public ChartJson time(double seconds) {
        if (!Double.isFinite(seconds)) {
            return value(seconds);
        }
        if (seconds == Math.rint(seconds)) {
            return value((long) seconds);
        }
        separate();
        out.append(trimmed(Math.rint(seconds * 1e3) / 1e3));
        return this;
    }

    public ChartJson times(double[] seconds) {
        array();
        for (double second : seconds) {
            time(second);
        }
        return end();
    }

    /** Writes a value with four digits, more than a screen can show. NaN and infinity become null. */
    public ChartJson value(double value) {
        separate();
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            out.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < 1e5) {
            out.append((long) value);
        } else {
            double power = Math.pow(10, 3 - Math.floor(Math.log10(Math.abs(value))));
            double rounded = Math.rint(value * power) / power;
            out.append(rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : trimmed(rounded));
        }
        return this;
    }

    private static String trimmed(double value) {
        String text = String.format(Locale.ROOT, "%.6f", value);
        return text.replaceFirst("\\.?0+$", "");
    }

    public ChartJson values(double[] values) {
        array();
        for (double value : values) {
            value(value);
        }
        return end();
    }

    @Override
    public String toString() {
        if (!ends.isEmpty()) {
            throw new IllegalStateException("still open: " + ends);
        }
        return out.toString();
    }
}
