package weir.worker.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** Bytes that one thread puts in, in pieces, and another reads. It holds a few MiB; whoever puts in more waits. */
final class PieceStream extends InputStream {
    private static final long ROOM = 8 << 20;

    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private int read;
    private long held;
    private boolean ended;

    /** Drops it when the end has been put in. */
    synchronized void put(byte[] piece) throws IOException {
        try {
            while (held > ROOM && !ended) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (!ended && piece.length > 0) {
            pieces.addLast(piece);
            held += piece.length;
            notifyAll();
        }
    }

    /** Ends the stream behind all that was put in. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public synchronized int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] into, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, into.length);
        if (length == 0) {
            return 0;
        }
        try {
            while (pieces.isEmpty() && !ended) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (pieces.isEmpty()) {
            return -1;
        }
        byte[] piece = pieces.getFirst();
        int taken = Math.min(length, piece.length - read);
        System.arraycopy(piece, read, into, from, taken);
        read += taken;
        if (read == piece.length) {
            pieces.removeFirst();
            held -= piece.length;
            read = 0;
            notifyAll();
        }
        return taken;
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while bytes were waited for", e);
    }
}
