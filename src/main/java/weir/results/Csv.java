package weir.results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A writer and reader of cells: numbers, and texts with quotes if necessary. A line end becomes a space. */
final class Csv {
    private static final int LONGEST = 40;
    private static final double MAX_SECOND = 1e7;

    private Csv() {}

    /** A line of texts and numbers. A double has at most six decimal places; NaN is an empty cell. */
    static String line(List<?> cells) {
        return cells.stream()
                .map(cell -> cell instanceof Double number ? number(number) : cell(String.valueOf(cell)))
                .collect(Collectors.joining(","));
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return String.valueOf((long) value);
        }
        return String.valueOf(Math.abs(value) < 1e9 ? Math.rint(value * 1e6) / 1e6 : value);
    }

    /** A number, NaN for an empty cell. It rejects spellings that only Java accepts (NaN, 0x1p3, 5f). */
    static double of(String cell) {
        if (cell.isEmpty()) {
            return Double.NaN;
        }
        char last = cell.charAt(cell.length() - 1);
        double value = cell.length() <= LONGEST && last >= '0' && last <= '9' && cell.indexOf('x') < 0
                ? Double.parseDouble(cell)
                : Double.NaN;
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("'" + shown(cell) + "' is not a number");
        }
        return value;
    }

    static double size(String cell) {
        double value = of(cell);
        if (value < 0) {
            throw new IllegalArgumentException("'" + cell + "' is below 0");
        }
        return value;
    }

    static double positive(String cell) {
        double value = size(cell);
        if (!(value > 0)) {
            throw new IllegalArgumentException("'" + cell + "' is not above 0");
        }
        return value;
    }

    /** A second of a trial. It may be negative, because probes begin a little before the trial. */
    static double second(String cell) {
        double value = of(cell);
        if (!(Math.abs(value) < MAX_SECOND)) {
            throw new IllegalArgumentException("'" + cell + "' is not a second of a trial");
        }
        return value;
    }

    static long count(String cell) {
        if (cell.isEmpty() || cell.length() > 18 || cell.chars().anyMatch(c -> c < '0' || c > '9')) {
            throw new IllegalArgumentException("'" + shown(cell) + "' is not a count");
        }
        return Long.parseLong(cell);
    }

    static String shown(String cell) {
        return cell.length() > LONGEST ? cell.substring(0, LONGEST) + "…" : cell;
    }

    private static String cell(String text) {
        String line = text.replaceAll("\\R", " ");
        return line.indexOf(',') < 0 && line.indexOf('"') < 0 ? line : '"' + line.replace("\"", "\"\"") + '"';
    }

    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
