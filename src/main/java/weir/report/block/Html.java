package weir.report.block;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/** A builder of HTML, which escapes every text and attribute. Only Weir chooses names of elements and attributes. */
public final class Html {
    private static final Set<String> VOID = Set.of("meta", "link", "br", "hr", "col", "input");

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Opens an element. Attributes are pairs of name and value. An attribute with an empty value has only its name. */
    public Html open(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]);
            if (!attributes[i + 1].isEmpty()) {
                out.append("=\"").append(escape(attributes[i + 1])).append('"');
            }
        }
        out.append('>');
        if (!VOID.contains(element)) {
            open.push(element);
        }
        return this;
    }

    public Html close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    public Html text(String text) {
        out.append(escape(text));
        return this;
    }

    public Html element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    public Html add(Html other) {
        if (!other.open.isEmpty()) {
            throw new IllegalStateException("still open: " + other.open);
        }
        out.append(other.out);
        return this;
    }

    /** Adds a style sheet or script unescaped. The code must not contain the end of its own element. */
    public Html verbatim(String element, String code, String... attributes) {
        if (code.toLowerCase(Locale.ROOT).contains("</" + element)) {
            throw new IllegalArgumentException("the code of a <" + element + "> contains its end tag");
        }
        open(element, attributes);
        out.append(code);
        return close();
    }

    public int length() {
        return out.length();
    }

    public Html line() {
        out.append('\n');
        return this;
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("still open: " + open);
        }
        return out.toString();
    }

    /** Escapes markup and invisible characters that change the display, such as the reading direction. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> {
                    if (unseen(c)) {
                        safe.append(String.format(Locale.ROOT, "\\u%04X", c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                }
            }
        });
        return safe.toString();
    }

    public static boolean unseen(int c) {
        int type = Character.getType(c);
        return (type == Character.CONTROL && c != '\n' && c != '\t')
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.PRIVATE_USE
                || c == 0x2028
                || c == 0x2029;
    }
}
