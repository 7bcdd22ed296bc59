package weir.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rates of a file with lines of {@code seconds,rate}. Each rate applies until the next line. Time counts from the
 * first line. The last rate lasts as long as the rate before it. The reader skips empty lines, lines that begin with #,
 * and one heading.
 */
public final class ReplayedRates {
    private static final int MAX_LINES = 1_000_000;
    private static final long MAX_BYTES = 64 << 20;
    private static final double MAX_SECONDS = 1e12;
    private static final double LONGEST = 8_640_000;
    private static final String MARK = "\uFEFF";
    private static final String FORM = "write a start in seconds and a rate per second in each line, as in 60,1200";

    private record Line(double seconds, double perSecond) {}

    private ReplayedRates() {}

    /** Reads a file. An exception contains the file and line of an incorrect rate. */
    public static List<RateSpec.Part> read(Path file) {
        List<Line> lines = new ArrayList<>();
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        file + ": is missing, not a regular file, or larger than " + (MAX_BYTES >> 20) + "MiB");
            }
            read(file, lines);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": is not UTF-8 text; " + FORM, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
        }
        if (lines.size() < 2) {
            throw new IllegalArgumentException(
                    file + ": has " + lines.size() + " rates, but needs at least 2; " + FORM);
        }
        if (lines.stream().allMatch(line -> line.perSecond == 0)) {
            throw new IllegalArgumentException(file + ": all rates of the file are 0; write at least one rate above 0");
        }
        return parts(lines);
    }

    private static void read(Path file, List<Line> lines) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            boolean headed = false;
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                number++;
                // Some spreadsheet programs write a byte order mark.
                String line = (number == 1 && text.startsWith(MARK) ? text.substring(1) : text).strip();
                if (line.isEmpty() || line.startsWith("#")) {
                    continue;
                }
                if (lines.isEmpty()
                        && !headed
                        && Character.isLetter(unquoted(line).charAt(0))) {
                    headed = true;
                    continue;
                }
                lines.add(parse(file + " (line " + number + ")", line, lines));
            }
        }
    }

    /** Removes the quotes that some spreadsheet programs write around every cell. */
    private static String unquoted(String cell) {
        String text = cell.strip();
        return text.length() > 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1).strip()
                : text;
    }

    private static Line parse(String where, String line, List<Line> before) {
        if (before.size() == MAX_LINES) {
            throw new IllegalArgumentException(where + ": must be at most 1,000,000 lines");
        }
        String[] cells = line.split(",", -1);
        if (cells.length != 2) {
            throw new IllegalArgumentException(
                    where + ": '" + Problem.beginning(line) + "' is not two numbers; " + FORM);
        }
        Line parsed = new Line(
                number(where, cells[0], MAX_SECONDS, "10^12 seconds"),
                number(where, cells[1], Rate.MOST_OPERATIONS, "1G/s, one operation a nanosecond"));
        if (!before.isEmpty() && parsed.seconds <= before.get(before.size() - 1).seconds) {
            throw new IllegalArgumentException(where + ": second '" + cells[0].strip()
                    + "' is not after the line before; the first number is a time, not a duration");
        }
        if (!before.isEmpty() && parsed.seconds - before.get(0).seconds > LONGEST) {
            throw new IllegalArgumentException(
                    where + ": second '" + cells[0].strip() + "' is more than 100 days after the first");
        }
        return parsed;
    }

    private static double number(String where, String cell, double most, String limit) {
        double value;
        try {
            value = Double.parseDouble(unquoted(cell));
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= 0)) {
            throw new IllegalArgumentException(
                    where + ": '" + Problem.beginning(cell) + "' is not a number from 0; " + FORM);
        }
        if (value > most) {
            throw new IllegalArgumentException(
                    where + ": '" + Problem.beginning(cell) + "' is too large; must be at most " + limit);
        }
        return value;
    }

    private static List<RateSpec.Part> parts(List<Line> lines) {
        List<RateSpec.Part> parts = new ArrayList<>();
        double origin = lines.get(0).seconds;
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            double end = i + 1 < lines.size() ? lines.get(i + 1).seconds : 2 * line.seconds - lines.get(i - 1).seconds;
            parts.add(new RateSpec.Part(0, nanos(line.seconds - origin), nanos(end - origin), line.perSecond));
        }
        return parts;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }
}
