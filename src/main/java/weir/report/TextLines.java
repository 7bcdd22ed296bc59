package weir.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import weir.report.block.Block;
import weir.report.block.Html;
import weir.report.block.Table;
import weir.results.value.NumberFormat;

/** Lines for a terminal. Control characters in texts of other programs have no effect. */
public final class TextLines {
    public static final String WHY = "why";

    private static final int WIDTH = 100;

    private static final int NARROWEST_HEADING = 12;

    private final List<String> lines = new ArrayList<>();

    public void add(String line) {
        lines.add(line);
    }

    int size() {
        return lines.size();
    }

    void cut(int most) {
        int more = lines.size() - most;
        if (more > 0) {
            lines.subList(most - 1, lines.size()).clear();
            lines.add(more(more + 1, "line"));
        }
    }

    static TextLines of(List<? extends Block> blocks) {
        TextLines lines = new TextLines();
        lines.show(blocks);
        return lines;
    }

    public void show(List<? extends Block> blocks) {
        for (Block block : blocks) {
            if (block.equals(Block.GAP)) {
                add("");
            } else if (block instanceof Block.Text text) {
                wrap(indent(text.look()), plain(text));
            } else if (block instanceof Block.Items items) {
                first(
                        items.most(),
                        "  ",
                        items.what(),
                        items.entries().stream().map(TextLines::plain).toList());
            } else if (block instanceof Table table) {
                table(table.lines(), table.most());
            } else {
                throw new IllegalArgumentException("a terminal cannot show " + block);
            }
        }
    }

    private static String indent(String look) {
        return look.equals("warn") ? "  ! " : look.equals("do") ? "    → " : "  ";
    }

    private static String plain(Block.Text text) {
        return text.spans().stream().map(Block.Span::text).collect(Collectors.joining());
    }

    void first(int most, String indent, String what, List<String> texts) {
        texts.stream().limit(most).forEach(text -> wrap(indent, text));
        if (texts.size() > most) {
            add(indent + more(texts.size() - most, what).strip());
        }
    }

    private static String more(int count, String what) {
        String plural = what.endsWith("s") ? what + "es" : what + "s";
        return "  … " + count + " more " + (count == 1 ? what : plural) + " in the report";
    }

    public String text() {
        return String.join("\n", lines) + "\n";
    }

    public void wrap(String indent, String text) {
        StringBuilder line = new StringBuilder(indent);
        String next = " ".repeat(indent.length());
        boolean first = true;
        for (String word : safe(text).split(" ", -1)) {
            if (!first && line.length() + word.length() + 1 > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(next);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
            first = false;
        }
        lines.add(line.toString());
    }

    /**
     * Prints a table with headings in the first row: words aligned left, figures aligned right. Columns of words have
     * no heading, or {@link #WHY}. In a table that is too wide, headings have one word on each line.
     */
    public void table(List<List<String>> rows, int most) {
        List<List<String>> body = rows.subList(1, Math.min(rows.size(), most + 1));
        int[] figures = widths(rows.subList(1, rows.size()), rows.get(0).size());
        List<String> heading = rows.get(0);
        List<List<String>> heads = List.of(heading);
        if (2 * figures.length + IntStream.of(widths(rows, figures.length)).sum() > WIDTH) {
            List<List<String>> columns = IntStream.range(0, figures.length)
                    .mapToObj(i -> filled(heading.get(i), Math.max(figures[i], NARROWEST_HEADING)))
                    .toList();
            int deepest = columns.stream().mapToInt(List::size).max().orElse(1);
            heads = IntStream.range(0, deepest)
                    .mapToObj(line -> columns.stream()
                            .map(words -> line < deepest - words.size() ? "" : words.get(line - deepest + words.size()))
                            .toList())
                    .toList();
        }
        List<List<String>> all = Stream.concat(heads.stream(), body.stream()).toList();
        int[] widths =
                widths(Stream.concat(heads.stream(), rows.stream().skip(1)).toList(), figures.length);
        for (List<String> row : all) {
            StringBuilder line = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - safe(row.get(i)).length());
                boolean left =
                        i == 0 || heading.get(i).isEmpty() || heading.get(i).equals(WHY);
                line.append(' ')
                        .append(left ? safe(row.get(i)) + pad : pad + safe(row.get(i)))
                        .append(' ');
            }
            lines.add(line.toString().stripTrailing());
        }
        if (rows.size() > most + 1) {
            lines.add(more(rows.size() - most - 1, "row"));
        }
    }

    private static int[] widths(List<List<String>> rows, int columns) {
        return IntStream.range(0, columns)
                .map(i -> rows.stream()
                        .mapToInt(row -> safe(row.get(i)).length())
                        .max()
                        .orElse(0))
                .toArray();
    }

    private static List<String> filled(String words, int width) {
        List<String> lines = new ArrayList<>();
        for (String word : words.split(" ", -1)) {
            String last = lines.isEmpty() ? null : lines.get(lines.size() - 1);
            if (last != null && last.length() + word.length() < width) {
                lines.set(lines.size() - 1, last + " " + word);
            } else {
                lines.add(word);
            }
        }
        return lines;
    }

    /** Shortens long values: first their common beginning, then their ends. Distinct values stay distinct. */
    public static List<String> apart(List<String> values, int longest) {
        int most = values.stream().mapToInt(String::length).max().orElse(0);
        for (int length = longest; length < most; length *= 2) {
            List<String> cut = cut(values, length);
            if (cut.stream().distinct().count() == values.stream().distinct().count()) {
                return cut;
            }
        }
        return values;
    }

    private static List<String> cut(List<String> values, int longest) {
        List<String> cut =
                values.stream().filter(value -> value.length() > longest).toList();
        int alike = 0;
        while (alike(cut, alike)) {
            alike++;
        }
        // A third of the length shows the text before the difference.
        int from = alike < longest - 1 ? 0 : alike - longest / 3;
        return values.stream()
                .map(value -> from > 0 && cut.contains(value) ? "…" + value.substring(from + 1) : value)
                .map(value -> NumberFormat.cut(value, longest))
                .toList();
    }

    private static boolean alike(List<String> values, int at) {
        return values.stream()
                .allMatch(value ->
                        at < value.length() && value.charAt(at) == values.get(0).charAt(at));
    }

    private static String safe(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c == '\n' || c == '\t') {
                safe.append(' ');
            } else if (Html.unseen(c)) {
                safe.append(String.format(Locale.ROOT, "\\u%04X", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
