package weir.load.workload;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * The values between the matches of a regular expression in a file, all in memory, byte for byte. As
 * {@code kafka-producer-perf-test} splits it: nothing between two matches is an empty value, nothing before the first or
 * behind the last one is none.
 */
final class DelimitedValues implements FileValues {
    private final List<byte[]> values = new ArrayList<>();
    private final double meanBytes;

    DelimitedValues(Path file, String delimiter) {
        long bytes = 0;
        Charset charset = charset(file);
        try (Scanner scanner = scanner(file, charset, delimiter)) {
            while (scanner.hasNext()) {
                byte[] value = scanner.next().getBytes(charset);
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

    /** Splits a file as text of this character set; the delimiter is that text, too. */
    static Scanner scanner(Path file, Charset charset, String delimiter) throws IOException {
        return new Scanner(file, charset).useDelimiter(new String(delimiter.getBytes(StandardCharsets.UTF_8), charset));
    }

    /** UTF-8, or where the file is none, one in which each byte is a character. */
    static Charset charset(Path file) {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            reader.transferTo(Writer.nullWriter());
            return StandardCharsets.UTF_8;
        } catch (CharacterCodingException other) {
            return StandardCharsets.ISO_8859_1;
        } catch (IOException e) {
            throw new UncheckedIOException("load.value.file: '" + file + "' cannot be read", e);
        }
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
