package weir.load.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * The values between the matches of a regular expression in a file of UTF-8 text, all in memory. As
 * {@code kafka-producer-perf-test} splits it: nothing between two matches is an empty value, nothing before the first or
 * behind the last one is none.
 */
final class DelimitedValues implements FileValues {
    private final List<byte[]> values = new ArrayList<>();
    private final double meanBytes;

    DelimitedValues(Path file, String delimiter) {
        long bytes = 0;
        try (Scanner scanner = new Scanner(file, StandardCharsets.UTF_8)) {
            scanner.useDelimiter(delimiter);
            while (scanner.hasNext()) {
                byte[] value = scanner.next().getBytes(StandardCharsets.UTF_8);
                values.add(value);
                bytes += value.length;
            }
            IOException broken = scanner.ioException();
            if (broken != null) {
                throw broken;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
        }
        if (values.isEmpty()) {
            throw new IllegalArgumentException("load.value.file: '" + file + "' has nothing but '" + delimiter + "'");
        }
        meanBytes = (double) bytes / values.size();
    }

    @Override
    public long pieces() {
        return values.size();
    }

    @Override
    public double meanBytes() {
        return meanBytes;
    }

    @Override
    public byte[] piece(long number, Buffers buffers) {
        return values.get((int) number);
    }
}
