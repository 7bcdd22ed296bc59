package weir.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * The counters that a HotSpot JVM keeps in a file for all to read, as jstat does: no attaching, no cost to the JVM.
 *
 * <p>Format 2 (HotSpot's perfMemory.hpp): a prologue of 32 bytes, then entries of a name and a value, in the byte order
 * that the prologue names.
 */
final class PerfCounters implements AutoCloseable {
    private static final int MAGIC = 0xcafec0c0;
    private static final int PROLOGUE = 32;
    private static final int ENTRY = 20;

    /** Far more than a JVM writes (32 KiB unless told otherwise), and little enough to hold. */
    private static final int LARGEST = 1024 * 1024;

    private final FileChannel file;
    private final ByteBuffer bytes;
    private final Map<String, Integer> offsets;

    /** Opens the file and learns which counters are there now. */
    PerfCounters(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            long size = file.size();
            if (size < PROLOGUE || size > LARGEST) {
                throw new IOException("the JVM's counter file has " + size + " bytes");
            }
            bytes = ByteBuffer.allocateDirect((int) size);
            refresh();
            check();
            offsets = offsets();
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Reads the values again. */
    void refresh() throws IOException {
        bytes.clear();
        while (bytes.hasRemaining() && file.read(bytes, bytes.position()) > 0) {}
        if (bytes.hasRemaining()) {
            throw new IOException("the JVM's counter file was cut short");
        }
        bytes.flip();
    }

    boolean has(String name) {
        return offsets.containsKey(name);
    }

    long value(String name) throws IOException {
        Integer offset = offsets.get(name);
        if (offset == null) {
            throw new IOException("this JVM does not count '" + name + "'");
        }
        return bytes.getLong(offset);
    }

    private void check() throws IOException {
        if (bytes.getInt(0) != MAGIC) {
            throw new IOException("the JVM's counter file does not begin with cafec0c0");
        }
        bytes.order(bytes.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        if (bytes.get(5) != 2) {
            throw new IOException("the JVM's counter file has format " + bytes.get(5) + "; only 2 is known");
        }
        if (bytes.get(7) == 0) {
            throw new IOException("the JVM has not finished starting");
        }
    }

    /** Where the longs are; texts and vectors are left out. */
    private Map<String, Integer> offsets() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        int at = bytes.getInt(24);
        for (int left = bytes.getInt(28); left > 0; left--) {
            int length = inside(at, ENTRY) ? bytes.getInt(at) : 0;
            int name = length < ENTRY ? 0 : bytes.getInt(at + 4);
            if (!inside(at, length) || name < ENTRY || name >= length) {
                throw new IOException("the JVM's counter file is damaged at byte " + at);
            }
            int value = at + bytes.getInt(at + 16);
            boolean isLong = bytes.get(at + 12) == 'J' && bytes.getInt(at + 8) == 0;
            if (isLong && inside(value, Long.BYTES)) {
                found.put(text(at + name, at + length), value);
            }
            at += length;
        }
        return found;
    }

    private boolean inside(int at, int length) {
        return at >= 0 && length >= 0 && at <= bytes.limit() - length;
    }

    private String text(int from, int to) {
        int end = from;
        while (end < to && bytes.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - from];
        bytes.get(from, name);
        return new String(name, StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a JVM's counter file", e);
        }
    }
}
