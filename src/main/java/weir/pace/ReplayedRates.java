package weir.pace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Rates from a file of {@code seconds,rate} lines: from this second on, this rate. Time counts from the first line; the
 * last rate holds as long as the one before it. Empty lines, lines that begin with # and one heading are skipped.
 */
record ReplayedRates(List<Line> lines) {
    private static final int MAX_LINES = 1_000_000;
    private static final String FORM = "write lines like 0,1000 and 60,1200: from this second on, so many per second";

    record Line(double seconds, double perSecond) {}

    ReplayedRates {
        lines = List.copyOf(lines);
    }

    static ReplayedRates read(Path file) {
        List<Line> lines = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            boolean headed = false;
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                number++;
                String line = text.strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                if (lines.isEmpty() && !headed && Character.isLetter(line.charAt(0))) {
                    headed = true;
                    continue;
                }
                lines.add(parse(file + " (line " + number + ")", line, lines));
            }
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": is not a text file in UTF-8; " + FORM, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
        }
        if (lines.size() < 2) {
            throw new IllegalArgumentException(
                    file + ": has " + lines.size() + " rates, and needs two or more; " + FORM);
        }
        return new ReplayedRates(lines);
    }

    private static Line parse(String where, String line, List<Line> before) {
        if (before.size() == MAX_LINES) {
            throw new IllegalArgumentException(where + ": is one line too many; a replay has at most a million");
        }
        String[] cells = line.split(",", -1);
        if (cells.length != 2) {
            throw new IllegalArgumentException(where + ": '" + shown(line) + "' is not two numbers; " + FORM);
        }
        Line parsed = new Line(number(where, cells[0]), number(where, cells[1]));
        if (!before.isEmpty() && parsed.seconds <= before.get(before.size() - 1).seconds) {
            throw new IllegalArgumentException(where + ": second '" + cells[0].strip()
                    + "' does not come after the one before; the first number is a time, not a length");
        }
        return parsed;
    }

    private static double number(String where, String cell) {
        double value;
        try {
            value = Double.parseDouble(cell.strip());
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        // Up to a thousand years and 10^12/s: nanoseconds and operations stay far from overflowing.
        if (!(value >= 0 && value <= 1e12)) {
            throw new IllegalArgumentException(where + ": '" + shown(cell) + "' is not a number >= 0; " + FORM);
        }
        return value;
    }

    private static String shown(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    List<Piecewise.Piece> pieces() {
        List<Piecewise.Piece> pieces = new ArrayList<>();
        double origin = lines.get(0).seconds;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            double end = i + 1 < lines.size() ? lines.get(i + 1).seconds : 2 * line.seconds - lines.get(i - 1).seconds;
            pieces.add(new Piecewise.Piece(0, nanos(line.seconds - origin), nanos(end - origin), line.perSecond));
        }
        return pieces;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
